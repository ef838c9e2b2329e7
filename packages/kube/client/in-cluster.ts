// SPDX-License-Identifier: Apache-2.0
import type { Connection, ReadFile } from './connection.ts';

/** Where the service account is mounted in a pod. */
const folder = '/var/run/secrets/kubernetes.io/serviceaccount';

/** The connection of a pod to the API server of its cluster; undefined outside of a pod. */
export async function inCluster(
  environment: Readonly<Record<string, string | undefined>>,
  readFile: ReadFile,
): Promise<Connection | undefined> {
  const { KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: port = '443' } = environment;
  if (host === undefined || host === '') return undefined;
  const address = host.includes(':') ? `[${host}]` : host;
  return {
    server: `https://${address}:${port}`,
    ca: await readFile(`${folder}/ca.crt`),
    tokenFile: `${folder}/token`,
  };
}
