// SPDX-License-Identifier: Apache-2.0
import { kind, type ObjectOf } from '@forge/kube/kinds/kind.ts';
import { rootRules } from './root-rules.ts';
import { spec } from './spec.ts';
import { status } from './status.ts';

/** A Raft cluster of OpenBao servers. */
export const OpenBaoCluster = kind({
  group: 'openbao.org',
  version: 'v1alpha1',
  kind: 'OpenBaoCluster',
  plural: 'openbaoclusters',
  shortNames: ['bao', 'baoc'],
  description: 'OpenBaoCluster is a Raft cluster of OpenBao servers: certificates, unsealing, upgrades and backups.',
  spec,
  status,
  rules: rootRules,
  printerColumns: [
    { name: 'Phase', type: 'string', jsonPath: '.status.phase' },
    { name: 'Version', type: 'string', jsonPath: '.status.currentVersion' },
    { name: 'Ready', type: 'integer', jsonPath: '.status.readyReplicas' },
    { name: 'Desired', type: 'integer', jsonPath: '.spec.replicas' },
    { name: 'Leader', type: 'string', jsonPath: '.status.activeLeader', priority: 1 },
    { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
  ],
});
export type OpenBaoCluster = ObjectOf<typeof OpenBaoCluster>;
