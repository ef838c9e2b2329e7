// SPDX-License-Identifier: Apache-2.0
import { OpenBaoCluster } from '../api/openbao-cluster.ts';

/** Where the OpenBaoCluster of these tests lives. */
export const home = { namespace: 'default', name: 'demo' };

/** A small OpenBaoCluster with its defaults, and this over its spec. */
export const openbaoFixture = (spec: Partial<OpenBaoCluster['spec']> = {}): OpenBaoCluster => ({
  apiVersion: OpenBaoCluster.apiVersion,
  kind: OpenBaoCluster.kind,
  metadata: home,
  spec: {
    version: '2.7.2',
    replicas: 3,
    paused: false,
    tls: { enabled: true, mode: 'OperatorManaged', rotationPeriod: '720h' },
    storage: { size: '1Gi' },
    unseal: { type: 'static' },
    updateStrategy: { type: 'RollingUpdate' },
    deletionPolicy: 'Retain',
    ...spec,
  },
});
