// SPDX-License-Identifier: Apache-2.0
import { mysqlConnection } from '@forge/cluster/stand-ins/mariadb/mysql-connection.ts';
import type { Container, EnvVar } from '@forge/kube/generated/types.ts';
import { Namespace, Pod, Service } from '@forge/kube/kinds/builtin.ts';
import { eventually } from '@forge/testing/programs/eventually.ts';
import type { ProcessCluster } from '@forge/testing/programs/process-cluster.ts';

/** The port of each server. */
const ports = { mariadb: 3306, memcached: 11_211 };

/** The pod of a server. */
interface ServerPod {
  namespace: string;
  name: keyof typeof ports;
  image: string;
  env?: EnvVar[];
}

/** Starts a server in a pod of its namespace, behind a Service of its name. */
export async function startServer(
  { client }: ProcessCluster,
  { namespace, name, image, env = [] }: ServerPod,
): Promise<void> {
  const metadata = { namespace, name, labels: { app: name } };
  const port = ports[name];
  const container: Container = { name, image, env, readinessProbe: { tcpSocket: { port }, periodSeconds: 1 } };
  await client.create(Service, {
    apiVersion: 'v1',
    kind: 'Service',
    metadata,
    spec: { selector: metadata.labels, ports: [{ port }] },
  });
  const spec = { terminationGracePeriodSeconds: 5, containers: [container] };
  await client.create(Pod, { apiVersion: 'v1', kind: 'Pod', metadata, spec });
  await eventually(`${name} is ready`, async () => {
    const { status } = await client.get(Pod, { namespace, name });
    return status?.containerStatuses?.[0]?.ready;
  });
}

/** Creates a namespace. */
export async function createNamespace({ client }: ProcessCluster, name: string): Promise<void> {
  await client.create(Namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
}

/** Creates databases, each with an account of the same name and password. */
export async function createDatabases(
  { node }: ProcessCluster,
  rootPassword: string,
  names: readonly string[],
): Promise<void> {
  const socket = await node.dial('mariadb.default.svc.cluster.local', ports.mariadb);
  const connection = await mysqlConnection(socket, { user: 'root', password: rootPassword });
  try {
    for (const name of names) {
      await connection.execute(`CREATE DATABASE ${name} CHARACTER SET utf8`);
      await connection.execute(`GRANT ALL ON ${name}.* TO '${name}'@'%' IDENTIFIED BY '${name}'`);
    }
  } finally {
    connection.close();
  }
}
