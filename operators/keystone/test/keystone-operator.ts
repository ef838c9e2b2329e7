// SPDX-License-Identifier: Apache-2.0
import { denyAccess, grantLeastPrivilege, operatorUser } from '@forge/cluster/controllers/test/least-privilege.ts';
import { observedResource, type ObservedResource } from '@forge/cluster/controllers/test/observed-resource.ts';
import { permissionFor, type Permission } from '@forge/cluster/controllers/test/permissions.ts';
import { testCluster, type TestCluster } from '@forge/cluster/controllers/test/test-cluster.ts';
import type { PodBehavior } from '@forge/cluster/fake-node/pod-status.ts';
import type { ApiRequest } from '@forge/kube/client/transport.ts';
import { CustomResourceDefinition, Deployment, Namespace, Pod, Secret } from '@forge/kube/kinds/builtin.ts';
import { crdOf } from '@forge/kube/kinds/crd.ts';
import type { Kind } from '@forge/kube/kinds/kind.ts';
import { refOf } from '@forge/kube/objects/object.ts';
import { manager, type ManagerOptions } from '@forge/runtime/controller/manager.ts';
import { logger, type LogEntry } from '@forge/runtime/logging/logger.ts';
import { systemRandom as random } from '@forge/runtime/random/random.ts';
import type { Health } from '../clients/keystone-api.ts';
import { Keystone } from '../keystone.ts';
import { keystoneController } from '../reconcile.ts';
import { defaultSecretStore } from '../step.ts';
import { keystoneFixture } from './keystone-fixture.ts';

/** The operator on a test cluster: real API server, workload controllers and steps; pods and the API as scripted. */
export interface KeystoneOperator extends AsyncDisposable, ObservedResource {
  cluster: TestCluster;
  /** What the next health checks find. */
  health: Health;
  keystone(): Promise<Keystone>;
  /** Its Deployment. */
  deployment(): Promise<Deployment>;
  /** Its API pods. */
  pods(): Promise<Pod[]>;
  /** From now on the operator may no longer do this with objects of the kind; gives what ends it. */
  deny(verb: string, kind: Kind): Promise<() => Promise<unknown>>;
}

/** How the operator is started. */
interface KeystoneOperatorOptions extends Pick<ManagerOptions, 'observer' | 'metrics'> {
  /** Kinds of other operators that are installed beforehand. */
  kinds?: readonly Kind[];
  /** Gets the log. */
  write?: (entry: LogEntry) => void;
  /** Awaited before each request of the operator: what others do meanwhile. */
  before?: (request: ApiRequest) => Promise<unknown>;
}

/** The permissions that operators of this process have needed so far, without those to watch. */
export const usedPermissions = new Set<Permission | undefined>();

/** What Ready says of a Keystone that is. */
export const allReady = '+AllReady: All sub-resources are ready';

/** Where the Keystone of these tests lives. */
export const home = { namespace: 'openstack', name: 'identity' };

/** Its Secret with the key for digests. */
export const digestKeyName = { ...home, name: 'identity-digest-key' };

/**
 * Starts it; `behavior` scripts the pods by the component they run, an observer is notified of what the operator says.
 */
export async function keystoneOperator(
  behavior: (component: string, pod: Pod) => PodBehavior = () => ({}),
  { kinds = [], write = () => {}, before, ...options }: KeystoneOperatorOptions = {},
): Promise<KeystoneOperator> {
  await using stack = new AsyncDisposableStack();
  const cluster = stack.use(
    await testCluster({
      behavior: (pod) => behavior(pod.metadata.labels?.['app.kubernetes.io/component'] ?? 'api', pod),
    }),
  );
  const { client, clock } = cluster;
  for (const kind of [Keystone, ...kinds]) await installKind(cluster, kind);
  await client.create(Namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: home.namespace } });

  const log = logger({ clock, write });
  const controller = keystoneController({
    reading: {
      keystoneApi: { health: async () => operator.health },
      secretStore: defaultSecretStore,
      ownNamespace: 'forge-system',
    },
    acting: {},
  });
  const lease = { ...home, name: 'keystone-operator' };
  await grantLeastPrivilege(client, { controllers: [controller], requires: [Keystone], lease });
  const used = async (request: ApiRequest) => {
    usedPermissions.add(permissionFor(request));
    await before?.(request);
  };
  const running = manager({ client: cluster.as(operatorUser(lease.name), used), clock, random, log, ...options });
  running.add(controller);
  await running.start();
  stack.defer(() => running.stop());

  const owned = stack.move();
  const operator: KeystoneOperator = {
    ...observedResource(Keystone, home, cluster),
    cluster,
    health: { found: 'healthy' },
    keystone: () => client.get(Keystone, home),
    deployment: () => client.get(Deployment, home),
    async pods() {
      const { items } = await client.list(Pod, { namespace: home.namespace });
      return items.filter(({ metadata }) => metadata.labels?.['app.kubernetes.io/name'] === 'keystone');
    },
    deny: (verb, kind) => denyAccess(client, lease.name, verb, kind),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
  return operator;
}

/** Makes the cluster serve a kind. */
export async function installKind({ client, clock }: TestCluster, kind: Kind): Promise<void> {
  const crd = await client.create(CustomResourceDefinition, crdOf(kind));
  await clock.until(async () => {
    const { status } = await client.get(CustomResourceDefinition, refOf(crd));
    return status?.conditions?.some(({ type, status: is }) => type === 'Established' && is === 'True');
  });
}

/** Creates a Secret of the tests' namespace. */
export function secret(name: string, values: Record<string, string>): Secret {
  const data = Object.fromEntries(
    Object.entries(values).map(([key, value]) => [key, Buffer.from(value).toString('base64')]),
  );
  return { apiVersion: 'v1', kind: 'Secret', metadata: { name, namespace: home.namespace }, data };
}

/** Creates the credentials of the database and of the administrator. */
export async function createCredentials({ cluster: { client } }: KeystoneOperator): Promise<void> {
  await client.create(Secret, secret('keystone-db', { username: 'keystone', password: 'db-secret' }));
  await client.create(Secret, secret('keystone-admin', { password: 'admin-secret' }));
}

/** Creates both credentials and the Keystone. */
export async function createKeystone(operator: KeystoneOperator, change?: Partial<Keystone['spec']>): Promise<void> {
  await createCredentials(operator);
  await operator.cluster.client.create(Keystone, keystoneFixture(change));
}

/** Names of the objects of a kind in the tests' namespace. */
export async function namesIn({ cluster: { client } }: KeystoneOperator, kind: Kind): Promise<string[]> {
  return (await client.list(kind, { namespace: home.namespace })).items.map(({ metadata }) => metadata.name).toSorted();
}
