// SPDX-License-Identifier: Apache-2.0
import { componentLabel, components, labelsOf } from '../api/names.ts';
import type { OpenBaoCluster } from '../api/openbao-cluster.ts';

/** The labels that the pods of servers have from the beginning; pods of Jobs have another component. */
export const serverPodLabels = (cluster: OpenBaoCluster) => ({
  ...labelsOf(cluster),
  [componentLabel]: components.server,
});
