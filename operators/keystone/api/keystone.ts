// SPDX-License-Identifier: Apache-2.0
import { kind, type ObjectOf } from '@forge/kube/kinds/kind.ts';
import { rootRules, spec } from './spec.ts';
import { status } from './status.ts';

/** An OpenStack Keystone: database schema, keys, configuration, API pods and bootstrap. */
export const Keystone = kind({
  group: 'keystone.openstack.c5c3.io',
  version: 'v1alpha1',
  kind: 'Keystone',
  plural: 'keystones',
  description:
    'Keystone is an OpenStack identity service: its database schema, keys, configuration, API pods and bootstrap.',
  spec,
  status,
  rules: rootRules,
  scale: {
    specReplicasPath: '.spec.replicas',
    statusReplicasPath: '.status.replicas',
    labelSelectorPath: '.status.selector',
  },
  printerColumns: [
    { name: 'Ready', type: 'string', jsonPath: ".status.conditions[?(@.type=='Ready')].status" },
    { name: 'Endpoint', type: 'string', jsonPath: '.status.endpoint' },
    { name: 'Release', type: 'string', jsonPath: '.status.installedRelease' },
    { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
  ],
});
export type Keystone = ObjectOf<typeof Keystone>;
