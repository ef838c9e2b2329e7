// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { Keystone } from '@forge/keystone/api/keystone.ts';
import { apiPort, selectorLabels } from '@forge/keystone/api/names.ts';
import { Pod } from '@forge/kube/kinds/builtin.ts';
import type { Condition } from '@forge/kube/objects/object.ts';
import { eventually } from '@forge/testing/programs/eventually.ts';
import { credentialPaths } from '../../openbao/seed.ts';
import { identity, type Identity, passwordLogin } from '../../up/identity.ts';
import { forwardLoopback, loadOrChoosePorts } from '../../up/loopback.ts';
import { reportText, startLoad } from './load.ts';
import type { LocalKeystones } from './local-keystones.ts';
import { createCredentials, createMemcached, readSecret } from './tenant.ts';

/** A Keystone of the cluster, as tests use it. */
export interface LiveKeystone {
  ref: { namespace: string; name: string };
  /** Its URL on a loopback port, which is forwarded to its Service. */
  url: string;
  identity: Identity;
  get(): Promise<Keystone>;
  condition(type: string): Promise<Condition | undefined>;
  /** Changes its spec by a merge patch, and resolves with the new generation. */
  change(spec: unknown): Promise<number>;
  /** Waits until Ready is True for this generation, or for the current one. */
  untilReady(): Promise<Keystone>;
  /** Waits until a condition has this reason, and resolves with its message. */
  untilReason(type: string, reason: string): Promise<string>;
  /** The administrator's password. */
  password(): Promise<string>;
  login(): Promise<string>;
  /** Its API pods. */
  pods(): Promise<Pod[]>;
  /** Runs an action under load; fails when a request fails. */
  underLoad<T>(action: () => Promise<T>): Promise<T>;
}

/** The rate of a load; a busy machine needs a lower one. */
const perSecond = Number(process.env['FORGE_E2E_REQUESTS_PER_SECOND'] ?? '20');

/**
 * Parallel logins: more than the processes of all pods, each of which connects to the database with its first request.
 */
const firstLogins = 32;

/** So few rounds make logins cheap: the load tests the operator, not the machine. */
const cheapLogins = { identity: { password_hash_rounds: '4' } };

/** The spec of a managed Keystone whose credentials and Memcached have its name as prefix. */
export function managedSpec(name: string): Record<string, unknown> {
  return {
    replicas: 1,
    image: { repository: 'c5c3/keystone', tag: '2025.2' },
    database: { clusterRef: { name: 'mariadb' }, database: name, secretRef: { name: `${name}-db` } },
    cache: { clusterRef: { name: `${name}-cache` }, backend: 'oslo_cache.memcache_pool' },
    bootstrap: { adminPasswordSecretRef: { name: `${name}-admin` } },
    extraConfig: cheapLogins,
  };
}

/** Creates a Keystone with its own credentials and Memcached. */
export async function createKeystone(
  cluster: LocalKeystones,
  ref: { namespace: string; name: string },
  overrides: Record<string, unknown> = {},
): Promise<LiveKeystone> {
  await createCredentials(cluster, ref.namespace, ref.name);
  await createMemcached(cluster, ref.namespace, `${ref.name}-cache`);
  await createResource(cluster, ref, overrides);
  return await liveKeystone(cluster, ref);
}

/** Creates only the Keystone. */
export async function createResource(
  { client }: LocalKeystones,
  ref: { namespace: string; name: string },
  overrides: Record<string, unknown> = {},
): Promise<void> {
  const spec = { ...managedSpec(ref.name), ...overrides };
  const keystone = { apiVersion: Keystone.apiVersion, kind: Keystone.kind, metadata: { ...ref }, spec };
  await client.create(Keystone, keystone as unknown as Keystone);
}

/** An existing Keystone; its administrator's password is read from OpenBao by default. */
export async function liveKeystone(
  cluster: LocalKeystones,
  ref: { namespace: string; name: string },
  given?: string,
): Promise<LiveKeystone> {
  const { client, data } = cluster;
  const { keystone: port } = await loadOrChoosePorts(data.path(`${ref.namespace}-${ref.name}.json`));
  const service = `${ref.name}.${ref.namespace}.svc.cluster.local`;
  cluster.use(await forwardLoopback(port, () => cluster.dial(service, apiPort)));
  const url = `http://127.0.0.1:${port}/v3`;
  const get = () => client.get(Keystone, ref);
  const condition = async (type: string) => (await get()).status?.conditions?.find((each) => each.type === type);
  const observed = async () => (await get()).status;
  const api = identity(url);
  const password = async () => {
    if (given !== undefined) return given;
    const path = credentialPaths({ namespace: ref.namespace, keystone: ref.name }).admin;
    return ((await readSecret(cluster, path)) as { password: string }).password;
  };
  const login = async () =>
    (await api.login(passwordLogin(await password()))) ?? assert.fail(`${url} rejected the administrator's password`);
  return {
    ref,
    url,
    identity: api,
    get,
    condition,
    async change(spec) {
      return (await client.patch(Keystone, ref, 'merge', { spec })).metadata.generation ?? 0;
    },
    untilReady: () =>
      eventually(
        `${ref.namespace}/${ref.name} is ready`,
        async () => {
          const keystone = await get();
          const ready = keystone.status?.conditions?.find(({ type }) => type === 'Ready');
          return ready?.status === 'True' && ready.observedGeneration === keystone.metadata.generation && keystone;
        },
        { observed },
      ),
    untilReason: (type, reason) =>
      eventually(
        `${type} of ${ref.namespace}/${ref.name} has reason ${reason}`,
        async () => {
          const found = await condition(type);
          return found?.reason === reason ? found.message : undefined;
        },
        { observed },
      ),
    password,
    login,
    async pods() {
      const labels = Object.entries(selectorLabels(await get())).map(([key, value]) => `${key}=${value}`);
      return (await client.list(Pod, { namespace: ref.namespace, labelSelector: labels.join(',') })).items;
    },
    async underLoad(action) {
      await Promise.all(Array.from({ length: firstLogins }, login));
      const load = startLoad({ url, password: await password(), perSecond });
      const [result] = await Promise.allSettled([action()]);
      const report = await load.stop();
      console.log(reportText(report));
      if (result.status === 'rejected') throw result.reason;
      assert.equal(report.failures.length, 0, reportText(report));
      assert.ok(report.requests > 0.9 * perSecond * report.seconds, `only ${report.requests} requests were sent`);
      return result.value;
    },
  };
}
