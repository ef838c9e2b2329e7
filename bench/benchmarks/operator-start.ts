// SPDX-License-Identifier: Apache-2.0
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { get, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { bundle } from '@forge/cluster/images/bundle.ts';
import { client } from '@forge/kube/client/client.ts';
import { httpsTransport } from '@forge/kube/client/https-transport.ts';
import { CustomResourceDefinition } from '@forge/kube/kinds/builtin.ts';
import { crdOf } from '@forge/kube/kinds/crd.ts';
import { Theme, Website } from '@forge/websites/websites.ts';
import type { Figure } from '../harness/figure.ts';
import { kubeconfigOf } from '../harness/kubeconfig-of.ts';
import { median } from '../harness/measure.ts';
import { memoryAtRest } from '../harness/memory-at-rest.ts';
import { benchCertificates, type ClientTls, startServerProcess } from '../harness/server-process.ts';

const rounds = 7;
const source = fileURLToPath(new URL('../../examples/websites/main.ts', import.meta.url));
const bare = `require('node:http').createServer((_, response) => response.end()).listen(0, '127.0.0.1', function () {
  console.error(JSON.stringify({ healthPort: this.address().port }));
})`;

/**
 * The time until the sample operator is ready and its memory, bundled as shipped, compared with a bare process.
 */
export async function operatorStart(): Promise<Figure[]> {
  const dir = await mkdtemp(join(tmpdir(), 'forge-bench-'));
  const { server: tls, client: admin } = benchCertificates();
  const server = await startServerProcess(new URL('../programs/serve-forge.ts', import.meta.url), tls);
  try {
    const url = `https://127.0.0.1:${server.port}`;
    await installKinds(url, admin);
    const kubeconfig = join(dir, 'kubeconfig');
    await writeFile(kubeconfig, kubeconfigOf(url, admin));
    await bundle(source, join(dir, 'packed'));
    const operator = [
      join(dir, 'packed', 'main.mjs'),
      `--kubeconfig=${kubeconfig}`,
      '--pod-namespace=default',
      '--health-probe-bind-address=127.0.0.1:0',
      '--metrics-bind-address=127.0.0.1:0',
      '--webhook-bind-address=127.0.0.1:0',
    ];
    const cache = join(dir, 'compiled');
    // The first run fills the compile cache and creates the webhook certificates.
    await started(operator, cache);
    const [bareOnes, operators] = [[] as Started[], [] as Started[]];
    for (let round = 0; round < rounds; round += 1) {
      bareOnes.push(await started(['--eval', bare], cache));
      operators.push(await started(operator, cache));
    }
    return [
      over('time to ready of an operator, over a bare process', 'ms', times(operators), times(bareOnes), 200),
      over('memory of an operator at rest, over a bare process', 'MiB', memories(operators), memories(bareOnes), 45),
    ];
  } finally {
    await server.stop();
    await rm(dir, { recursive: true });
  }
}

/** Milliseconds until ready, and MiB of memory when idle. */
interface Started {
  time: number;
  rss: number;
}

const times = (of: readonly Started[]): number[] => of.map(({ time }) => time);
const memories = (of: readonly Started[]): number[] => of.map(({ rss }) => rss);

function over(what: string, unit: string, own: readonly number[], base: readonly number[], atMost: number): Figure {
  return {
    what,
    samples: own.map((each, round) => each - (base[round] ?? NaN)),
    unit,
    goal: { atMost },
    ratio: `${median(own).toFixed(0)} to ${median(base).toFixed(0)} ${unit}`,
  };
}

/** Starts a process that reports its port, with this compile cache, and stops it when idle. */
async function started(args: readonly string[], cache: string): Promise<Started> {
  const start = performance.now();
  const env = { ...process.env, NODE_COMPILE_CACHE: cache };
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'ignore', 'pipe'] });
  const exited = once(child, 'exit');
  try {
    const lines = createInterface(child.stderr);
    const [line] = (await once(lines, 'line')) as [string];
    const { healthPort } = JSON.parse(line) as { healthPort: number };
    while ((await statusOf(healthPort)) !== 200) await setTimeout(2);
    const time = performance.now() - start;
    return { time, rss: await memoryAtRest(child) };
  } finally {
    child.kill();
    await exited;
  }
}

async function statusOf(port: number): Promise<number | undefined> {
  const [response] = (await once(get({ host: '127.0.0.1', port, path: '/readyz' }), 'response')) as [IncomingMessage];
  response.resume();
  return response.statusCode;
}

async function installKinds(server: string, tls: ClientTls): Promise<void> {
  const transport = httpsTransport({ server, ...tls });
  const api = client(transport);
  for (const kind of [Website, Theme]) await api.create(CustomResourceDefinition, crdOf(kind));
  while ((await api.list(Theme).catch(() => undefined)) === undefined) await setTimeout(10);
  await transport.close();
}
