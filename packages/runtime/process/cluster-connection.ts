// SPDX-License-Identifier: Apache-2.0
import { delimiter } from 'node:path';
import type { Connection } from '@forge/kube/client/connection.ts';
import { inCluster } from '@forge/kube/client/in-cluster.ts';
import { readKubeconfig } from '@forge/kube/client/kubeconfig.ts';
import type { OperatorOptions } from './operator-flags.ts';
import type { ProcessHost } from './process-host.ts';

/** The connection to the configured cluster, else to the one the process runs in. */
export async function clusterConnection(
  { kubeconfig }: Pick<OperatorOptions, 'kubeconfig'>,
  { environment, readFile }: Pick<ProcessHost, 'environment' | 'readFile'>,
): Promise<Connection> {
  if (kubeconfig !== '') {
    // The variable may hold a list, the flag names one file.
    const isList = kubeconfig === environment['KUBECONFIG'];
    return readKubeconfig(isList ? kubeconfig.split(delimiter).filter(Boolean) : [kubeconfig], readFile);
  }
  const connection = await inCluster(environment, readFile);
  if (connection !== undefined) return connection;
  throw new Error('No cluster: not running in a pod, and neither --kubeconfig nor $KUBECONFIG is set');
}
