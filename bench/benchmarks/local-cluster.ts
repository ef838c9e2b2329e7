// SPDX-License-Identifier: Apache-2.0
import { setTimeout } from 'node:timers/promises';
import { startForge, withDataFolder, type ForgeProcess } from '@forge/cli/test/forge-process.ts';
import { clusterProcesses } from '../harness/cluster-processes.ts';
import type { Figure } from '../harness/figure.ts';

const rounds = 5;
/** The output once the API server, the controllers, the node with its DNS, and the stand-ins are ready. */
const readyLines = ['✔ api server', '✔ node', '✔ stand-ins'];
const keystoneReady = 'Keystone is ready at';
/** Covers all frequent intervals, such as those of heartbeats and probes. */
const window = 10_000;
const settleTime = 10_000;

/**
 * The time until a second `forge up` has everything ready except pods, and the CPU time and memory of its own processes
 * when idle, without pods such as the operators.
 */
export async function localCluster(): Promise<Figure[]> {
  const starts: number[] = [];
  const idle = { percent: [] as number[], memory: [] as number[], parts: '' };
  await withDataFolder(async (dir) => {
    const first = startForge('up', '--data', dir);
    await first.waitForOutput(keystoneReady);
    await stop(first);
    for (let round = 1; round <= rounds; round += 1) {
      const since = performance.now();
      const forge = startForge('up', '--data', dir);
      await Promise.all(readyLines.map((line) => forge.waitForOutput(line)));
      starts.push(performance.now() - since);
      if (round === rounds) await measureIdle(forge, idle);
      await stop(forge);
    }
  });
  return [
    { what: 'a further `forge up` until its stand-ins are ready', samples: starts, unit: 'ms', goal: { atMost: 3000 } },
    { what: 'processor time of an idle `forge up`', samples: idle.percent, unit: '%', goal: { atMost: 3 } },
    {
      what: 'memory of its processes, without pods',
      samples: idle.memory,
      unit: 'MiB',
      goal: { atMost: 250 },
      ratio: idle.parts,
    },
  ];
}

async function stop(forge: ForgeProcess): Promise<void> {
  forge.kill('SIGTERM');
  const { code, output } = await forge.ended;
  if (code !== 0) throw new Error(`forge up exited with ${code}:\n${output}`);
}

async function measureIdle(
  forge: ForgeProcess,
  idle: { percent: number[]; memory: number[]; parts: string },
): Promise<void> {
  await forge.waitForOutput(keystoneReady);
  await setTimeout(settleTime);
  const total = async () => {
    const own = await clusterProcesses(forge.pid);
    const memory = own.reduce((sum, each) => sum + each.memory, 0);
    const large = own.filter((each) => each.memory > 10);
    idle.parts = large.map((each) => `${each.name} ${each.memory.toFixed(0)}`).join(', ');
    return { memory, seconds: own.reduce((sum, each) => sum + each.seconds, 0) };
  };
  let before = await total();
  for (let round = 0; round < rounds; round += 1) {
    await setTimeout(window);
    const after = await total();
    idle.percent.push(((after.seconds - before.seconds) / (window / 1000)) * 100);
    idle.memory.push(after.memory);
    before = after;
  }
}
