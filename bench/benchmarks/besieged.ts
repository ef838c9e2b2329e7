// SPDX-License-Identifier: Apache-2.0
import { createKeystone } from '@forge/cli/test/keystone/live-keystone.ts';
import { localKeystones, type LocalKeystones } from '@forge/cli/test/keystone/local-keystones.ts';
import { rotate } from '@forge/cli/test/keystone/rotation.ts';
import { createTenant } from '@forge/cli/test/keystone/tenant.ts';
import { createCgroup, removeCgroup } from '@forge/cluster/host/cgroups.ts';
import { programImage } from '@forge/cluster/images/catalogue.ts';
import { outputOf } from '@forge/cluster/node/test/escapes/pod-output.ts';
import { Keystone } from '@forge/keystone/api/keystone.ts';
import { Namespace, Pod } from '@forge/kube/kinds/builtin.ts';
import { eventually } from '@forge/testing/programs/eventually.ts';
import type { Figure } from '../harness/figure.ts';
import { median, timed, wallTime } from '../harness/measure.ts';

const minutes = 10;
const rounds = 5;
const namespace = 'identity';
const image = programImage('bench/attacker', new URL('../programs/attack-from-pod.mjs', import.meta.url));
const attacker = { namespace: 'hostile', name: 'attacker' };

/** Milliseconds of each step of one Keystone's life. */
type Times = Record<'created' | 'rotated' | 'deleted', number>;

/**
 * How much longer it takes to create a Keystone, to rotate its keys and to delete it while a pod without rights attacks
 * the cluster for ten minutes. Without control groups the figures have no goal: nothing then divides the processors.
 */
export async function besieged(): Promise<Figure[]> {
  const goal = (await hasCgroups()) ? { goal: { atMost: 2 } } : {};
  await using cluster = await localKeystones(image);
  await createTenant(cluster, namespace);
  await lifeOf(cluster, 'warmup');
  const alone = await lives(cluster, 'alone', (round) => round < rounds);
  await startAttacker(cluster);
  const end = Date.now() + minutes * 60_000;
  const beside = await lives(cluster, 'beside', (round) => round < rounds || Date.now() < end);
  await checkAttacker(cluster);
  return (['created', 'rotated', 'deleted'] as const).map((step) => {
    const [usual, attacked] = [alone, beside].map((each) => each.map((times) => times[step])) as [number[], number[]];
    const ratio = `${median(attacked).toFixed(0)} to ${median(usual).toFixed(0)} ms`;
    const samples = attacked.map((time) => time / median(usual));
    return { what: `a Keystone ${step} beside an attack`, samples, statistic: 'max', unit: '×', ratio, ...goal };
  });
}

async function lives(cluster: LocalKeystones, name: string, goesOn: (round: number) => boolean): Promise<Times[]> {
  const times: Times[] = [];
  for (let round = 0; goesOn(round); round += 1) times.push(await lifeOf(cluster, `${name}${round}`));
  return times;
}

async function lifeOf(cluster: LocalKeystones, name: string): Promise<Times> {
  const { client } = cluster;
  const ref = { namespace, name };
  const start = wallTime();
  const keystone = await createKeystone(cluster, ref);
  await keystone.untilReady();
  const created = wallTime() - start;
  const rotated = await timed(wallTime, () => rotate(client, keystone, 'fernet'));
  await keystone.login();
  const deleted = await timed(wallTime, async () => {
    await client.delete(Keystone, ref);
    await eventually(`${name} is gone`, async () => (await client.find(Keystone, ref)) === undefined);
  });
  console.log(`  ${name}: created ${created.toFixed()}, rotated ${rotated.toFixed()}, deleted ${deleted.toFixed()} ms`);
  return { created, rotated, deleted };
}

/** Starts the pod, and waits until it has tried everything once. */
async function startAttacker({ client, data }: LocalKeystones): Promise<void> {
  const metadata = { name: attacker.namespace };
  await client.create(Namespace, { apiVersion: 'v1', kind: 'Namespace', metadata });
  await client.create(Pod, {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: attacker,
    spec: {
      containers: [
        {
          name: 'main',
          image: 'bench/attacker',
          // A shell as the first process collects the ended ones, which would count as processes.
          command: ['sh', '-c', 'node /opt/program/attack-from-pod.mjs /work; exit'],
          volumeMounts: [{ name: 'work', mountPath: '/work' }],
        },
      ],
      volumes: [{ name: 'work', emptyDir: {} }],
    },
  });
  const output = async () => outputOf(await client.get(Pod, attacker), data.path('logs'));
  const [, expected, all] = await eventually(
    'the attacker has tried everything',
    async () => /^expected answers: (\d+) of (\d+)$/m.exec(await output()) ?? undefined,
    { minutes: 15, observed: output },
  );
  // A busy server refuses some for another reason; without answers, nobody is attacked.
  if (Number(expected) < Number(all) / 2)
    throw new Error(`only ${expected} of ${all} requests reached what they attack`);
}

/** Throws when the pod has not attacked all the time. */
async function checkAttacker({ client }: LocalKeystones): Promise<void> {
  const { status } = await client.get(Pod, attacker);
  const [container] = status?.containerStatuses ?? [];
  if (container?.state?.running !== undefined && container.restartCount === 0) return;
  throw new Error(`the attacker did not attack all the time: ${JSON.stringify(container)}`);
}

async function hasCgroups(): Promise<boolean> {
  return createCgroup(process.pid).then(
    (cgroup) => removeCgroup(cgroup).then(() => true),
    () => false,
  );
}
