// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { gatewayController } from '@forge/cluster/stand-ins/gateway.ts';
import { startStandIn } from '@forge/cluster/stand-ins/start-stand-in.ts';
import { Keystone } from '@forge/keystone/api/keystone.ts';
import {
  ConfigMap,
  CronJob,
  Deployment,
  HorizontalPodAutoscaler,
  Job,
  NetworkPolicy,
  Pod,
  Role,
  RoleBinding,
  Secret,
  Service,
  ServiceAccount,
} from '@forge/kube/kinds/builtin.ts';
import type { Kind } from '@forge/kube/kinds/kind.ts';
import type { Condition } from '@forge/kube/objects/object.ts';
import { PushSecret } from '@forge/kube/third-party/external-secrets.ts';
import { HTTPRoute } from '@forge/kube/third-party/gateway.ts';
import { Database, Grant, User } from '@forge/kube/third-party/mariadb.ts';
import { systemClock as clock } from '@forge/runtime/environment/clock.ts';
import { systemRandom as random } from '@forge/runtime/environment/random.ts';
import { eventually } from '@forge/testing/programs/eventually.ts';
import { passwordLogin } from '../../up/identity.ts';
import { keystoneDemo as names } from '../../up/keystone-demo.ts';
import type { KubernetesDemo } from './kubernetes-demo.ts';

const { namespace, keystone: name } = names;
const ref = { namespace, name };

/** Logs in as administrator; returns a valid token. */
export async function login({ keystone, adminPassword }: KubernetesDemo): Promise<string> {
  const token = await keystone.login(passwordLogin(await adminPassword()));
  assert.ok(token !== undefined, 'the password is rejected');
  assert.equal(await keystone.validate(token), 'admin');
  return token;
}

/** Rotates the Fernet keys by a Job from the CronJob; running pods get the new ones, and old tokens stay valid. */
export async function rotateFernetKeys(demo: KubernetesDemo): Promise<void> {
  const { client } = demo.cluster;
  const token = await login(demo);
  const [pod] = await keystonePods(demo);
  const primaryKey = async () => {
    const { data = {} } = await client.get(Secret, { namespace, name: `${name}-fernet-keys` });
    return Math.max(...Object.keys(data).map(Number));
  };
  const before = await primaryKey();
  await demo.kubectl('-n', namespace, 'create', 'job', 'rotate-now', `--from=cronjob/${name}-fernet-rotate`);
  const primary = await eventually('the production Secret has a new primary key', async () => {
    const now = await primaryKey();
    return now > before ? now : undefined;
  });
  await eventually('the new keys reach the running pod', async () => {
    const listed = await demo.kubectl('-n', namespace, 'exec', pod ?? '', '--', 'ls', '/etc/keystone/fernet-keys');
    return listed.split(/\s+/).includes(String(primary)) ? true : undefined;
  });
  assert.equal(await demo.keystone.validate(token), 'admin');
  await login(demo);
  await client.delete(Job, { namespace, name: 'rotate-now' }, { propagation: 'Background' });
}

/** Names of the running API pods. */
export async function keystonePods({ cluster }: KubernetesDemo): Promise<string[]> {
  const labelSelector = `app.kubernetes.io/name=keystone,app.kubernetes.io/instance=${name}`;
  const { items } = await cluster.client.list(Pod, { namespace, labelSelector });
  return items.filter(({ status }) => status?.phase === 'Running').map(({ metadata }) => metadata.name);
}

/** Waits until the Keystone is Ready for its current generation, and `holds` returns true. */
export async function untilReady({ cluster }: KubernetesDemo, holds: (keystone: Keystone) => boolean = () => true) {
  let last: readonly Condition[] = [];
  return await eventually('the Keystone is Ready', async () => {
    const keystone = await cluster.client.get(Keystone, ref);
    last = keystone.status?.conditions ?? [];
    const ready = last.find(({ type }) => type === 'Ready');
    const isCurrent = ready?.status === 'True' && ready.observedGeneration === keystone.metadata.generation;
    return isCurrent && holds(keystone) ? keystone : undefined;
  }).catch((error: Error) => {
    throw new Error(`${error.message}: ${JSON.stringify(last, undefined, 2)}`);
  });
}

/**
 * Turns autoscaling, network policy and gateway on and off again, and checks that their objects are created and
 * deleted.
 */
export async function toggleOptionalParts(demo: KubernetesDemo): Promise<void> {
  const { client } = demo.cluster;
  const { log } = demo;
  await using stack = new AsyncDisposableStack();
  stack.use(await startStandIn(gatewayController(), { client, clock, random, log }));
  const kinds: Kind[] = [HorizontalPodAutoscaler, NetworkPolicy, HTTPRoute];
  const count = async () => (await Promise.all(kinds.map((kind) => client.find(kind, ref)))).filter(Boolean).length;
  const set = (spec: object) => client.patch(Keystone, ref, 'merge', { spec });
  await set({
    autoscaling: { maxReplicas: 2, targetCPUUtilization: 80 },
    networkPolicy: { ingress: [{ namespaceSelector: {} }] },
    gateway: { parentRef: { name: 'gateway' }, hostname: 'keystone.example.com' },
  });
  await untilReady(demo);
  assert.equal(await count(), kinds.length);
  await set({ autoscaling: { maxReplicas: 3 }, networkPolicy: { additionalEgress: [{}] }, gateway: { path: '/v3' } });
  await untilReady(demo);
  // The webhook checks the class; no rollout starts.
  const priorityClassName = 'system-cluster-critical';
  await client.patch(Keystone, ref, 'merge', { spec: { priorityClassName } }, { dryRun: true });
  await set({ autoscaling: null, networkPolicy: null, gateway: null });
  await untilReady(demo);
  await eventually('the optional parts are deleted', async () => ((await count()) === 0 ? true : undefined));
}

const ownedKinds: readonly Kind[] = [
  Deployment,
  Service,
  ConfigMap,
  Secret,
  Job,
  CronJob,
  Pod,
  ServiceAccount,
  Role,
  RoleBinding,
  PushSecret,
  Database,
  User,
  Grant,
];

/** Deletes the Keystone, and checks that nothing of it is left. */
export async function deleteKeystone({ cluster, kubectl }: KubernetesDemo): Promise<void> {
  await kubectl('-n', namespace, 'delete', 'keystone', name, '--timeout=120s');
  let left: string[] = [];
  await eventually('all objects of the deleted Keystone are deleted', async () => {
    const labelSelector = `app.kubernetes.io/instance=${name}`;
    const lists = await Promise.all(ownedKinds.map((kind) => cluster.client.list(kind, { namespace, labelSelector })));
    left = lists.flatMap(({ items }, index) =>
      items.map(({ metadata }) => `${ownedKinds[index]?.kind} ${metadata.name}`),
    );
    return left.length === 0 ? true : undefined;
  }).catch((error: Error) => {
    throw new Error(`${error.message}; left: ${left.join(', ')}`);
  });
}
