// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test, type TestContext } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { imageStore } from '@forge/cluster/images/image-store.ts';
import type { Pod } from '@forge/kube/kinds/builtin.ts';
import { currentUser, isRoot, ordinaryUser, type TestUser } from '@forge/testing/programs/ordinary-user.ts';
import { controlPlaneDemo } from '../up/control-plane-demo.ts';
import { identity, passwordLogin } from '../up/identity.ts';
import { imageCacheDir } from '../up/images.ts';
import { operatorImages } from '../up/install-operator.ts';
import { assertRestored, snapshot } from './cluster-snapshot.ts';
import {
  descendantsOf,
  hostProcesses,
  hostState,
  kubectl,
  loginOf,
  startForgeAs,
  type ForgeProcess,
  type HostProcess,
} from './forge-process.ts';
import { restartObjects, sleepOf } from './restart-objects.ts';
import { createOpenBao, untilUnharmed } from './restart-openbao.ts';

/** The expected number of processes of each program in the cluster. */
const programs: [pattern: RegExp, count: number][] = [
  [/^(?:\S*\/)?mariadbd(?: |$)/, 1],
  [/^(?:\S*\/)?memcached(?: |$)/, 1],
  [/^(?:\S*\/)?bao server(?: |$)/, 4], // that of the demo, and those of the OpenBaoCluster
  [/^\S*node \/opt\/program\/keystone-operator\.mjs(?: |$)/, 1],
  [/^\S*node \/opt\/program\/c5c3-operator\.mjs(?: |$)/, 1],
  [/^\S*node \/opt\/program\/openbao-operator\.mjs(?: |$)/, 1],
  [new RegExp(`^${sleepOf(1)}$`), 1],
  [new RegExp(`^${sleepOf(2)}$`), 2],
];

/** The images of all pods of this test. */
async function images() {
  const operators = [...controlPlaneDemo.operators, 'openbao'];
  const recipes = (await Promise.all(operators.map(operatorImages))).flat();
  const store = imageStore({ cacheDir: imageCacheDir(), recipes, log: console.error });
  const own = recipes.flatMap((recipe) => recipe.references);
  const references = ['forge/tools', 'forge/shell', ...own, ...controlPlaneDemo.images];
  return Promise.all(references.map((reference) => store.ensure(reference)));
}

/** Starts `forge up` as a user; it is always killed at the end of the test. */
async function up(context: TestContext, user: TestUser, dir: string): Promise<ForgeProcess> {
  const forge = startForgeAs(user, 'up', '--data', dir);
  context.after(() => forge.kill('SIGKILL'));
  await forge.waitForOutput('Keystone is ready at');
  return forge;
}

async function createPods(dir: string, folder: string): Promise<void> {
  const objects = join(folder, 'objects.json');
  await writeFile(objects, JSON.stringify({ apiVersion: 'v1', kind: 'List', items: restartObjects }));
  await kubectl(dir, 'apply', '-f', objects);
  const wait = (condition: string, ...names: string[]) =>
    kubectl(dir, 'wait', `--for=${condition}`, '--timeout=60s', ...names);
  await wait('condition=Complete', 'job/job');
  await wait('condition=Ready', 'pod/counter', 'pod/stubborn');
  await wait('condition=Available', 'deploy/web');
  await wait('jsonpath={.status.phase}=Succeeded', 'pod/completed');
}

const idOf = ({ pid, startTime }: HostProcess) => `${pid} ${startTime}`;

/** Stops a forge, and asserts that none of its processes is left, and that the host is as before. */
async function end(forge: ForgeProcess, before: unknown, stop: () => Promise<unknown>): Promise<void> {
  const processes = new Set((await descendantsOf(forge.pid)).map(idOf));
  assert.notEqual(processes.size, 0);
  await stop();
  const left = (await hostProcesses()).filter((each) => processes.has(idOf(each)));
  assert.deepEqual(left, []);
  assert.deepEqual(await hostState(), before);
}

async function assertNothingTwice(forge: ForgeProcess): Promise<void> {
  const processes = await descendantsOf(forge.pid);
  for (const [pattern, count] of programs) {
    const found = processes.filter(({ args }) => pattern.test(args)).map(({ args }) => args);
    assert.equal(found.length, count, `${pattern}: ${found.join(', ')}`);
  }
}

/** The number of lines of a file in the pod `counter`. */
async function linesOf(dir: string, file: string): Promise<number> {
  const text = await kubectl(dir, 'exec', 'counter', '--', 'cat', file);
  return text.trim().split('\n').length;
}

const isStubborn = ({ metadata }: Pod) => metadata.name === 'stubborn';
const isKeystone = ({ metadata }: Pod) => metadata.labels?.['app.kubernetes.io/name'] === 'keystone';

/** Stops a cluster with pods of every life cycle and starts it again: first by `forge down`, then after `kill -9`. */
async function restart(context: TestContext, user: TestUser): Promise<void> {
  const before = await hostState();
  const dir = join(user.folder, 'data');
  const first = await up(context, user, dir);
  await Promise.all([createPods(dir, user.folder), createOpenBao(dir, user.folder)]);
  const { url, password } = await loginOf(dir);
  const keystone = identity(url);
  const token = (await keystone.login(passwordLogin(password))) ?? assert.fail('the password is rejected');
  await keystone.createProject(token, 'before-the-crash');
  const running = await snapshot(dir);
  await end(first, before, async () => {
    const { code, output } = await startForgeAs(user, 'down', '--data', dir).ended;
    assert.equal(code, 0, output);
    assert.equal((await first.ended).code, 0);
  });

  const second = await up(context, user, dir);
  const { jobs, pods } = await assertRestored(dir, running);
  await assertNothingTwice(second);
  assert.equal(await linesOf(dir, '/claim/counter'), 2);

  // During a rollout and a deletion, with as much in progress as possible.
  const scaled = JSON.stringify({ spec: { services: { keystone: { replicas: 2 } } } });
  await kubectl(dir, '-n', 'openstack', 'patch', 'controlplane/controlplane', '--type=merge', '-p', scaled);
  await kubectl(dir, 'delete', 'pod', 'stubborn', '--wait=false');
  await end(second, before, async () => {
    second.kill('SIGKILL');
    await second.ended;
    await setTimeout(10_000); // what is left ten seconds after a kill
  });

  const third = await up(context, user, dir);
  const kept = pods.filter((pod) => !isStubborn(pod));
  await assertRestored(dir, { jobs, pods: kept }, (pod) => isStubborn(pod) || isKeystone(pod));
  await assertNothingTwice(third);
  await untilUnharmed(dir);
  assert.equal(await linesOf(dir, '/claim/counter'), 3);
  for (const file of ['/claim/completed', '/claim/job']) assert.equal(await linesOf(dir, file), 1, file);
  // The ControlPlane stays ready during scaling.
  await kubectl(dir, '-n', 'openstack', 'rollout', 'status', 'deploy/controlplane-keystone', '--timeout=120s');
  assert.match(await kubectl(dir, '-n', 'openstack', 'get', 'deploy', 'controlplane-keystone'), /2\/2/);
  await kubectl(dir, 'wait', '--for=delete', 'pod/stubborn', '--timeout=90s');
  const deleted = pods.find(isStubborn)?.metadata.uid ?? assert.fail('it had been created');
  const logs = await readdir(join(dir, 'logs'));
  assert.ok(!logs.some((name) => name.includes(deleted)), 'the logs of a deleted pod are removed');
  assert.equal((await loginOf(dir)).url, url);
  const renewed =
    (await keystone.login(passwordLogin(password))) ?? assert.fail('the password is rejected after the restart');
  assert.ok((await keystone.projects(renewed)).includes('before-the-crash'));
  assert.equal(await keystone.validate(token), 'admin');
  await end(third, before, async () => {
    third.kill('SIGTERM');
    assert.equal((await third.ended).code, 0);
  });
}

describe('after a stop and after kill -9, all pods are as they were, nothing runs twice, and the host is as before', () => {
  test('of a cluster that root runs', { skip: !isRoot }, async (context) => {
    await restart(context, await currentUser(context));
  });

  test('of a cluster that an ordinary user runs', async (context) => {
    await restart(context, await ordinaryUser(context, images));
  });
});
