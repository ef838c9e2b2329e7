// SPDX-License-Identifier: Apache-2.0
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { bundle } from '@forge/cluster/images/bundle.ts';
import { memoryAtRest } from './memory-at-rest.ts';

/** An operator in its own process, which ends when this is disposed of. */
export interface OperatorProcess extends AsyncDisposable {
  process: ChildProcess;
  /** The current value of a metric, summed over its labels. */
  metric(name: string): Promise<number>;
}

const programs = {
  'keystone-operator': new URL('../programs/keystone-operator.mjs', import.meta.url),
  'c5c3-operator': new URL('../programs/c5c3-operator.mjs', import.meta.url),
  'openbao-operator': new URL('../programs/openbao-operator.mjs', import.meta.url),
};

/** An operator that can be started. */
export type OperatorName = keyof typeof programs;

/** Bundles an operator as shipped, into this folder. */
export async function bundleOperator(dir: string, name: OperatorName = 'keystone-operator'): Promise<void> {
  await bundle(fileURLToPath(programs[name]), join(dir, 'packed'));
}

/** The memory in MiB of the bundled operator once it has reconciled this many resources. */
export async function memoryOf(
  dir: string,
  kubeconfig: string,
  { operator, resources }: { operator: OperatorName; resources: number },
): Promise<number> {
  await using started = await startOperator(dir, kubeconfig, operator);
  while ((await started.metric('controller_runtime_reconcile_total')) < resources) await setTimeout(200);
  return await memoryAtRest(started.process);
}

/** Starts the bundled operator, launched as shipped. */
export async function startOperator(
  dir: string,
  kubeconfig: string,
  operator: OperatorName = 'keystone-operator',
): Promise<OperatorProcess> {
  const { NODE_OPTIONS: _, MALLOC_ARENA_MAX: __, ...plain } = process.env;
  const args = [
    join(dir, 'packed', `${operator}.mjs`),
    `--kubeconfig=${kubeconfig}`,
    '--pod-namespace=default',
    '--leader-elect=false',
    '--health-probe-bind-address=127.0.0.1:0',
    '--metrics-bind-address=127.0.0.1:0',
    '--webhook-bind-address=127.0.0.1:0',
  ];
  const env = { ...plain, NODE_COMPILE_CACHE: join(dir, 'compiled') };
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'ignore', 'pipe'] });
  const exited = once(child, 'exit');
  const [line] = (await once(createInterface(child.stderr), 'line')) as [string];
  const { metricsPort } = JSON.parse(line) as { metricsPort: number };
  return {
    process: child,
    async metric(name) {
      // A keep-alive connection may be closed between two samples.
      const headers = { connection: 'close' };
      const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`, { headers })).text();
      const values = [...text.matchAll(new RegExp(`^${name}(?:\\{.*\\})? ([\\d.e+-]+)$`, 'gm'))];
      return values.reduce((sum, [, value]) => sum + Number(value), 0);
    },
    async [Symbol.asyncDispose]() {
      child.kill();
      await exited;
    },
  };
}
