// SPDX-License-Identifier: Apache-2.0
import type { PodBehavior } from '@forge/cluster/fake-node/pod-status.ts';
import { Deployment, Namespace, Pod, Secret } from '@forge/kube/kinds/builtin.ts';
import type { Kind } from '@forge/kube/kinds/kind.ts';
import { defaultSecretStore } from '@forge/openstack/secret-store.ts';
import { installKind } from '@forge/testing/install-kind.ts';
import { observedResource, type ObservedResource } from '@forge/testing/observed-resource.ts';
import type { Permission } from '@forge/testing/permissions.ts';
import { secretIn } from '@forge/testing/secret-in.ts';
import { startOperator, type StartedOperator, type StartOptions } from '@forge/testing/start-operator.ts';
import { testCluster, type TestCluster } from '@forge/testing/test-cluster.ts';
import { Keystone } from '../api/keystone.ts';
import type { Health } from '../clients/keystone-api.ts';
import { keystoneController } from '../reconcile.ts';
import { keystoneFixture } from './keystone-fixture.ts';

/** The operator on a test cluster: real API server, workload controllers and steps; pods and the API as scripted. */
export interface KeystoneOperator extends StartedOperator, ObservedResource {
  cluster: TestCluster;
  /** What the next health checks find. */
  health: Health;
  keystone(): Promise<Keystone>;
  /** Its Deployment. */
  deployment(): Promise<Deployment>;
  /** Its API pods. */
  pods(): Promise<Pod[]>;
}

/** How the operator is started. */
interface KeystoneOperatorOptions extends StartOptions {
  /** Kinds of other operators that are installed beforehand. */
  kinds?: readonly Kind[];
}

/** The permissions that operators of this process have needed so far, without those to watch. */
export const usedPermissions = new Set<Permission | undefined>();

/** The Ready condition of a Keystone that is ready. */
export const allReady = '+AllReady: All sub-resources are ready';

/** Where the Keystone of these tests lives. */
export const home = { namespace: 'openstack', name: 'identity' };

/** Its Secret with the key for digests. */
export const digestKeyName = { ...home, name: 'identity-digest-key' };

/** Starts it; `behavior` scripts the pods by their component, an observer is notified of conditions and Events. */
export async function startKeystoneOperator(
  behavior: (component: string, pod: Pod) => PodBehavior = () => ({}),
  { kinds = [], ...options }: KeystoneOperatorOptions = {},
): Promise<KeystoneOperator> {
  await using stack = new AsyncDisposableStack();
  const cluster = stack.use(
    await testCluster({
      behavior: (pod) => behavior(pod.metadata.labels?.['app.kubernetes.io/component'] ?? 'api', pod),
    }),
  );
  const { client } = cluster;
  for (const kind of [Keystone, ...kinds]) await installKind(cluster, kind);
  await client.create(Namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: home.namespace } });

  const reading = {
    keystoneApi: { health: async () => operator.health },
    secretStore: defaultSecretStore,
    ownNamespace: 'forge-system',
  };
  const tested = {
    lease: { ...home, name: 'keystone-operator' },
    kinds: [Keystone],
    controllers: () => [keystoneController({ reading, acting: {} })],
    usedPermissions,
  };
  const started = stack.use(await startOperator(cluster, tested, options));
  const owned = stack.move();
  const operator: KeystoneOperator = {
    ...started,
    ...observedResource(Keystone, home, cluster),
    cluster,
    health: { found: 'healthy' },
    keystone: () => client.get(Keystone, home),
    deployment: () => client.get(Deployment, home),
    async pods() {
      const { items } = await client.list(Pod, { namespace: home.namespace });
      return items.filter(({ metadata }) => metadata.labels?.['app.kubernetes.io/name'] === 'keystone');
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
  return operator;
}

/** Builds a Secret of the tests' namespace. */
export const secret = secretIn(home.namespace);

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
