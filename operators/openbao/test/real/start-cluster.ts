// SPDX-License-Identifier: Apache-2.0
import { operatorCluster, type OperatorCluster } from '@forge/testing/programs/operator-cluster.ts';
import { executorRecipe } from './executor-image.ts';

/** Starts a cluster on which the operator runs in a pod, from the manifests that users install. */
export function startCluster(): Promise<OperatorCluster> {
  return operatorCluster(
    new URL('../../manifests/install.yaml', import.meta.url),
    new URL('../../openbao-operator.mjs', import.meta.url),
    [executorRecipe],
  );
}
