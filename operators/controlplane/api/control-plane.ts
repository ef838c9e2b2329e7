// SPDX-License-Identifier: Apache-2.0
import { kind, type ObjectOf } from '@forge/kube/kinds/kind.ts';
import { ageColumn, group, readyColumn, version } from './group.ts';
import { rootRules, spec } from './spec.ts';
import { status } from './status.ts';

/** An OpenStack control plane: backing services, one Keystone, its admin credential and catalog entries. */
export const ControlPlane = kind({
  group,
  version,
  kind: 'ControlPlane',
  plural: 'controlplanes',
  description:
    'ControlPlane is an OpenStack control plane: its database and cache, one Keystone, the admin application credential and ' +
    'the entries of the service catalog. There is one per namespace.',
  spec,
  status,
  rules: rootRules,
  printerColumns: [readyColumn, { name: 'Release', type: 'string', jsonPath: '.status.installedRelease' }, ageColumn],
});
export type ControlPlane = ObjectOf<typeof ControlPlane>;
