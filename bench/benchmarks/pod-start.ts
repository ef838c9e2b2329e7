// SPDX-License-Identifier: Apache-2.0
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { toolbox } from '@forge/cluster/host/toolbox.ts';
import { imageStore } from '@forge/cluster/images/image-store.ts';
import type { SeccompProfile } from '@forge/kube/generated/types.ts';
import { Namespace, Pod } from '@forge/kube/kinds/builtin.ts';
import { processCluster, type ProcessCluster } from '@forge/testing/programs/process-cluster.ts';
import type { Figure } from '../harness/figure.ts';
import { median } from '../harness/measure.ts';

const rounds = 31;
const warmUps = 2;
const image = 'forge/shell';
const command = ['sh', '-c', 'echo started; exec sleep 60'];
/** A namespace whose pods may do without the filter. */
const privileged = 'privileged';
const confined = { type: 'RuntimeDefault' };
const unconfined = { type: 'Unconfined' };

/**
 * The time of a pod from its creation to Running on the process node, minus that of the same command started by hand,
 * with the same image as root and in namespaces of the same types; and minus that of a pod without the seccomp filter.
 */
export async function podStart(): Promise<Figure[]> {
  const images = imageStore({ cacheDir: join(homedir(), '.cache/forge'), log: console.error });
  const [{ root }, tools] = await Promise.all([images.ensure(image), images.ensure('forge/tools')]);
  const { bwrap } = toolbox(tools.root);
  const byHand: number[] = [];
  const pods: number[] = [];
  const bare: number[] = [];
  await using cluster = await processCluster();
  const labels = { 'pod-security.kubernetes.io/enforce': 'privileged' };
  await cluster.client.create(Namespace, {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: privileged, labels },
  });
  for (let round = -warmUps; round < rounds; round += 1) {
    const hand = await timeByHand(bwrap, root);
    const time = (profile: SeccompProfile) => timeOfPod(cluster, `pod-${round + warmUps}`, profile);
    // Alternately the first, because a pod starts while the node still removes the one before it.
    const first = round % 2 === 0 ? await time(confined) : undefined;
    const without = await time(unconfined);
    const pod = first ?? (await time(confined));
    if (round < 0) continue;
    byHand.push(hand);
    pods.push(pod);
    bare.push(without);
  }
  return [
    {
      what: 'a pod from create to Running, over its command by hand',
      samples: pods.map((time, round) => time - (byHand[round] ?? NaN)),
      unit: 'ms',
      goal: { atMost: 150 },
      ratio: `${median(pods).toFixed(0)} to ${median(byHand).toFixed(0)} ms`,
    },
    {
      what: 'a pod from create to Running, over one without the filter',
      // The median of these is the difference of the medians.
      samples: pods.map((time) => time - median(bare)),
      unit: 'ms',
      goal: { atMost: 20 },
      ratio: `${median(pods).toFixed(0)} to ${median(bare).toFixed(0)} ms`,
    },
  ];
}

/** Milliseconds until the command has written its first output. */
async function timeByHand(bwrap: readonly string[], root: string): Promise<number> {
  const sandbox = ['--unshare-all', '--die-with-parent', '--ro-bind', root, '/', '--proc', '/proc', '--dev', '/dev'];
  const [program = '', ...args] = [...bwrap, ...sandbox, ...command];
  const start = performance.now();
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(child.stdout, 'data');
  const time = performance.now() - start;
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
  return time;
}

/** Milliseconds until a watch shows that the pod is Running. */
async function timeOfPod({ client }: ProcessCluster, name: string, seccompProfile: SeccompProfile): Promise<number> {
  const ref = { namespace: privileged, name };
  const pod: Pod = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: ref,
    spec: {
      terminationGracePeriodSeconds: 0,
      securityContext: { seccompProfile },
      containers: [{ name: 'main', image, command }],
    },
  };
  const start = performance.now();
  const { metadata } = await client.create(Pod, pod);
  let time = NaN;
  const { resourceVersion = '' } = metadata;
  const watched = { namespace: privileged, fieldSelector: `metadata.name=${name}`, resourceVersion };
  for await (const { type, object } of client.watch(Pod, watched)) {
    if (type === 'DELETED') return time;
    if (object.status?.phase !== 'Running' || !Number.isNaN(time)) continue;
    time = performance.now() - start;
    await client.delete(Pod, ref);
  }
  throw new Error(`the watch of pod ${name} ended before it was deleted`);
}
