// SPDX-License-Identifier: Apache-2.0
import type { ApiServer } from '@forge/apiserver/api-server.ts';
import { ConfigMap, Namespace, PriorityClass } from '@forge/kube/kinds/builtin.ts';
import type { Kind } from '@forge/kube/kinds/kind.ts';
import type { KubeObject } from '@forge/kube/objects/object.ts';
import { ClusterSecretStore, ExternalSecret } from '@forge/kube/third-party/external-secrets.ts';
import { MariaDB } from '@forge/kube/third-party/mariadb.ts';
import { Memcached } from '@forge/kube/third-party/memcached.ts';
import { logger, terminalLine } from '@forge/runtime/logging/logger.ts';
import { seconds } from '@forge/runtime/time/duration.ts';
import { operatorProcess } from '@forge/simulation/scenario/operator-process.ts';
import type { Process } from '@forge/simulation/scenario/scenario.ts';
import { environment, standInKinds, type Environment } from '@forge/simulation/world/environment.ts';
import { settledCluster } from '@forge/simulation/world/settled-cluster.ts';
import { world, type World } from '@forge/simulation/world/world.ts';
import { keystoneAdmission } from '../../admission.ts';
import { Keystone } from '../../keystone.ts';
import { keystoneController } from '../../reconcile.ts';
import { defaultSecretStore } from '../../step.ts';
import { home } from '../keystone-operator.ts';

const namespace = home.namespace;

/** What the secret store holds. */
const credentials = {
  'keystone-db': { username: 'keystone', password: 'db-secret' },
  'keystone-admin': { password: 'admin-secret' },
};

function externalSecret(name: string, values: object): ExternalSecret {
  return {
    apiVersion: 'external-secrets.io/v1',
    kind: 'ExternalSecret',
    metadata: { namespace, name },
    spec: {
      secretStoreRef: { name: defaultSecretStore, kind: 'ClusterSecretStore' },
      data: Object.keys(values).map((property) => ({ secretKey: property, remoteRef: { key: name, property } })),
    },
  };
}

/** Every neighbour of a Keystone, and a secret store with the credentials. */
function neighbours(): Environment {
  const all = environment({ standIns: ['external-secrets', 'mariadb-operator', 'memcached-operator', 'gateway'] });
  for (const [name, values] of Object.entries(credentials)) all.vault.write(`kv-v2/${name}`, values);
  return all;
}

/** A cluster with everything that a Keystone may refer to. */
export function clusterForKeystones(): Promise<ApiServer> {
  return settledCluster(
    {
      kinds: [Keystone, ...standInKinds],
      async setUp(user) {
        await user.create(Namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
        await user.create(ClusterSecretStore, {
          apiVersion: 'external-secrets.io/v1',
          kind: 'ClusterSecretStore',
          metadata: { name: defaultSecretStore },
          spec: { provider: { vault: { server: 'https://openbao:8200', path: 'kv-v2' } } },
        });
        await user.create(MariaDB, {
          apiVersion: 'k8s.mariadb.com/v1alpha1',
          kind: 'MariaDB',
          metadata: { namespace, name: 'mariadb' },
          spec: { storage: { size: '1Gi' } },
        });
        await user.create(Memcached, {
          apiVersion: 'memcached.c5c3.io/v1beta1',
          kind: 'Memcached',
          metadata: { namespace, name: 'memcached' },
          spec: {},
        });
        await user.create(PriorityClass, {
          apiVersion: 'scheduling.k8s.io/v1',
          kind: 'PriorityClass',
          metadata: { name: 'identity' },
          value: 1000,
        });
        await user.create(ConfigMap, {
          apiVersion: 'v1',
          kind: 'ConfigMap',
          metadata: { namespace, name: 'policies' },
          data: { 'policy.yaml': '"identity:list_roles": "role:admin"\n' },
        });
        for (const [name, values] of Object.entries(credentials)) {
          await user.create(ExternalSecret, externalSecret(name, values));
        }
      },
    },
    neighbours(),
  );
}

/** A Keystone in a cluster with its operator, its webhooks and its neighbours. */
export interface LiveKeystone extends AsyncDisposable {
  /** Writes the spec through the webhooks; what was said when it was refused. */
  write(spec: Keystone['spec']): Promise<string | undefined>;
  /** Lets everything come to rest; throws when it does not. */
  rest(): Promise<void>;
  current(): Keystone;
  /** The objects of a kind in its namespace. */
  list<T extends KubeObject>(kind: Kind<T>): T[];
  /** Warnings and errors that the operator logged since the last call. */
  faults(): string[];
  /** The number of writes to the cluster so far. */
  writes(): number;
}

/** Starts it and waits until it rests. */
export async function liveKeystone(from: ApiServer, keystone: Keystone): Promise<LiveKeystone> {
  const logged: string[] = [];
  const here = await world({ from, environment: neighbours(), processes: [operatorLoggingTo(logged)] });
  const current = () => here.state.find(Keystone, home) as Keystone;
  const live: LiveKeystone = {
    async write(spec) {
      try {
        await here.during(admitted(here, { ...current(), spec }, current()));
        return undefined;
      } catch (error) {
        return (error as Error).message;
      }
    },
    rest: () => here.settle(seconds(10)),
    current,
    list: (kind) => here.state.list(kind).filter(({ metadata }) => metadata.namespace === namespace),
    faults: () => logged.splice(0),
    writes: () => here.context.server.store.current.revision,
    [Symbol.asyncDispose]: () => here[Symbol.asyncDispose](),
  };
  const { uid: _, generation: __, ...metadata } = keystone.metadata;
  await here.during(here.user.create(Keystone, { ...keystone, metadata }));
  await live.rest();
  return live;
}

function operatorLoggingTo(logged: string[]): Process {
  const controller = keystoneController({
    reading: {
      keystoneApi: { health: async () => ({ found: 'healthy' }) },
      secretStore: defaultSecretStore,
      ownNamespace: undefined,
    },
    acting: {},
  });
  return {
    name: 'keystone',
    start(host) {
      const log = logger({ clock: host.clock, level: 'warn', write: (entry) => logged.push(terminalLine(entry)) });
      return operatorProcess(host.name, () => [controller], { log }).start(host);
    },
  };
}

/** Writes as the API server does: defaults, then the schema, then validation. */
async function admitted({ user }: World, written: Keystone, before: Keystone): Promise<void> {
  const context = {
    client: user,
    cache: { list: () => [] as Keystone[] },
    user: { username: 'admin', groups: [] },
    signal: new AbortController().signal,
  } as unknown as Parameters<NonNullable<typeof keystoneAdmission.validate>>[2];
  const defaulted = (await keystoneAdmission.default?.(written, context)) ?? written;
  const stored = await user.update<KubeObject>(Keystone, defaulted, { dryRun: true });
  const { errors = [] } = (await keystoneAdmission.validate?.(stored, before, context)) ?? {};
  if (errors.length > 0) throw new Error(errors.map(({ field, message }) => `${field}: ${message}`).join('; '));
  await user.update<KubeObject>(Keystone, defaulted);
}
