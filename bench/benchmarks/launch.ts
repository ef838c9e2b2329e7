// SPDX-License-Identifier: Apache-2.0
import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { get } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundle } from '@forge/cluster/images/bundle.ts';
import type { Figure } from '../harness/figure.ts';
import { median, ratios } from '../harness/measure.ts';
import { memoryAtRest } from '../harness/memory-at-rest.ts';
import { benchCertificates, type ServerTls } from '../harness/server-process.ts';

const rounds = 5;
const bare = fileURLToPath(new URL('../programs/serve-bare.mjs', import.meta.url));
const source = fileURLToPath(new URL('../../apps/cli/forge-apiserver.mjs', import.meta.url));

/**
 * The time to the first response and the memory of `forge-apiserver`, compared with a bare server; packed and, for
 * comparison, from the sources.
 */
export async function launch(): Promise<Figure[]> {
  const dir = await mkdtemp(join(tmpdir(), 'forge-bench-'));
  const { server: tls } = benchCertificates();
  await bundle(source, join(dir, 'packed'));
  const packed = join(dir, 'packed', 'forge-apiserver.mjs');
  const runs = {
    bare: [] as Launched[],
    first: [] as Launched[],
    further: [] as Launched[],
    unpacked: [] as Launched[],
  };
  for (let round = 0; round < rounds; round += 1) {
    // A new folder has no compile cache.
    const cache = join(dir, String(round));
    runs.bare.push(await launched(() => startBare(tls)));
    runs.first.push(await launched(() => startForge(packed, cache)));
    runs.further.push(await launched(() => startForge(packed, cache)));
    await launched(() => startForge(source, cache));
    runs.unpacked.push(await launched(() => startForge(source, cache)));
  }
  await rm(dir, { recursive: true });
  const times = (of: readonly Launched[]): number[] => of.map(({ time }) => time);
  const memory = (of: readonly Launched[]): number[] => of.map(({ rss }) => rss);
  const against = (what: string, of: readonly Launched[], goal?: Figure['goal']): Figure => ({
    what,
    samples: ratios(times(of), times(runs.bare)),
    unit: '×',
    ...(goal !== undefined && { goal }),
    ratio: `${median(times(of)).toFixed(0)} ms`,
  });
  return [
    { what: 'first answer of a bare server', samples: times(runs.bare), unit: 'ms' },
    against('of forge-apiserver against it', runs.further, { atMost: 2.5 }),
    against('of forge-apiserver when it was never started before', runs.first, { atMost: 6 }),
    against('of forge-apiserver from its sources', runs.unpacked),
    {
      what: 'memory of forge-apiserver at rest over a bare one',
      samples: memory(runs.further).map((each, round) => each - (memory(runs.bare)[round] ?? NaN)),
      unit: 'MiB',
      goal: { atMost: 60 },
      ratio: `${median(memory(runs.further)).toFixed(0)} MiB`,
    },
  ];
}

/** Milliseconds to the first response, and MiB of memory when idle. */
interface Launched {
  time: number;
  rss: number;
}

interface Starting {
  child: ChildProcess;
  port: Promise<number>;
}

async function launched(start: () => Starting): Promise<Launched> {
  const launchedAt = performance.now();
  const { child, port } = start();
  const exited = once(child, 'exit');
  try {
    const request = get({
      host: '127.0.0.1',
      port: await port,
      path: '/readyz',
      rejectUnauthorized: false,
      agent: false,
    });
    await once(request, 'response');
    const time = performance.now() - launchedAt;
    request.destroy();
    return { time, rss: await memoryAtRest(child) };
  } finally {
    child.kill();
    await exited;
  }
}

function startBare(tls: ServerTls): Starting {
  const child = fork(bare, { execArgv: [] });
  child.send(tls);
  return { child, port: once(child, 'message').then(([port]) => port as number) };
}

/** Starts the command with this compile cache. */
function startForge(program: string, cache: string): Starting {
  const env = { ...process.env, NODE_COMPILE_CACHE: cache };
  const child = spawn(process.execPath, [program], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  return { child, port: once(child.stdout, 'data').then(([text]) => Number(/:(\d+)\n/.exec(String(text))?.[1])) };
}
