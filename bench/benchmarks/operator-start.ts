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
import type { Operator } from '@forge/runtime/process/run-operator.ts';
import { operatorFile, operators } from '../../operators/operators.ts';
import type { Figure } from '../harness/figure.ts';
import { kubeconfigOf } from '../harness/kubeconfig-of.ts';
import { median } from '../harness/measure.ts';
import { memoryAtRest } from '../harness/memory-at-rest.ts';
import { usageOf } from '../harness/process-usage.ts';
import { benchCertificates, type ClientTls, startServerProcess } from '../harness/server-process.ts';

const rounds = 7;
const bare = `require('node:http').createServer((_, response) => response.end()).listen(0, '127.0.0.1', function () {
  console.error(JSON.stringify({ healthPort: this.address().port }));
})`;

/**
 * The time until each registered operator is ready and its memory without resources, bundled and launched as shipped,
 * compared with a bare process.
 */
export async function operatorStart(): Promise<Figure[]> {
  const dir = await mkdtemp(join(tmpdir(), 'forge-bench-'));
  const { server: tls, client: admin } = benchCertificates();
  const server = await startServerProcess(new URL('../programs/serve-forge.ts', import.meta.url), tls);
  try {
    const url = `https://127.0.0.1:${server.port}`;
    const kubeconfig = join(dir, 'kubeconfig');
    await writeFile(kubeconfig, kubeconfigOf(url, admin));
    const figures: Figure[] = [];
    for (const { name, operator } of operators) {
      await installKinds(operator, url, admin);
      figures.push(...(await startOf(name, operator, join(dir, name), kubeconfig)));
    }
    return figures;
  } finally {
    await server.stop();
    await rm(dir, { recursive: true });
  }
}

/** The figures of one operator, bundled into this folder. */
async function startOf(name: string, operator: Operator, dir: string, kubeconfig: string): Promise<Figure[]> {
  const program = `${operator.name}.mjs`;
  await bundle(fileURLToPath(operatorFile(name, program)), dir);
  const args = [
    join(dir, program),
    `--kubeconfig=${kubeconfig}`,
    '--pod-namespace=default',
    '--health-probe-bind-address=127.0.0.1:0',
    '--metrics-bind-address=127.0.0.1:0',
    '--webhook-bind-address=127.0.0.1:0',
  ];
  const cache = join(dir, 'compiled');
  // The first run fills the compile cache and creates the webhook certificates.
  await started(args, cache);
  const [bareOnes, own] = [[] as Started[], [] as Started[]];
  for (let round = 0; round < rounds; round += 1) {
    bareOnes.push(await started(['--eval', bare], cache));
    own.push(await started(args, cache));
  }
  const over = (what: string, unit: string, part: keyof Started, atMost: number): Figure => {
    const [base, each] = [bareOnes.map((one) => one[part]), own.map((one) => one[part])];
    return {
      what: `${what} of ${name}, over a bare process`,
      samples: each.map((value, round) => value - (base[round] ?? NaN)),
      unit,
      goal: { atMost },
      ratio: `${median(each).toFixed(0)} to ${median(base).toFixed(0)} ${unit}`,
    };
  };
  return [
    over('time to ready', 'ms', 'time', 350),
    over('CPU time to ready', 'ms', 'cpu', 320),
    over('memory at rest', 'MiB', 'memory', 40),
  ];
}

/** Milliseconds until ready, of CPU time until then, and MiB of memory when idle. */
interface Started {
  time: number;
  cpu: number;
  memory: number;
}

/** Starts a process that reports its port, with this compile cache, and stops it when idle. */
async function started(args: readonly string[], cache: string): Promise<Started> {
  const start = performance.now();
  const { NODE_OPTIONS: _, MALLOC_ARENA_MAX: __, ...plain } = process.env;
  const env = { ...plain, NODE_COMPILE_CACHE: cache };
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'ignore', 'pipe'] });
  const exited = once(child, 'exit');
  try {
    const lines = createInterface(child.stderr);
    const [line] = (await once(lines, 'line')) as [string];
    const { healthPort } = JSON.parse(line) as { healthPort: number };
    while ((await statusOf(healthPort)) !== 200) await setTimeout(2);
    const time = performance.now() - start;
    const { seconds } = await usageOf(Number(child.pid));
    return { time, cpu: seconds * 1000, memory: await memoryAtRest(child) };
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

/** Installs the kinds of an operator, and those that it requires. */
async function installKinds({ kinds, requires = [] }: Operator, server: string, tls: ClientTls): Promise<void> {
  const transport = httpsTransport({ server, ...tls });
  const api = client(transport);
  for (const kind of new Set([...kinds, ...requires])) {
    await api.create(CustomResourceDefinition, crdOf(kind));
    while ((await api.list(kind).catch(() => undefined)) === undefined) await setTimeout(10);
  }
  await transport.close();
}
