// SPDX-License-Identifier: Apache-2.0
// Runs Go clients against the embedded server, and records what they did: npm run clients [client].
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { ConfigMap, Deployment } from '@forge/kube/kinds/builtin.ts';
import { servedServer, type ServedServer } from '../served-server.ts';
import { clientGoProgram, released, releases } from './go-programs.ts';
import { writeChart } from './helm-chart.ts';

/** Recorded results of a client version. */
interface Proof {
  release: string;
  proved: readonly string[];
}

const record = fileURLToPath(new URL('proved.json', import.meta.url));

const clients: Readonly<Record<string, (served: ServedServer) => Promise<Proof>>> = {
  'client-go': proveClientGo,
  helm: proveHelm,
  chainsaw: proveChainsaw,
};

const known = JSON.parse(await readFile(record, 'utf8').catch(() => '{}')) as Record<string, Proof>;
const chosen = process.argv.slice(2);
for (const [name, prove] of Object.entries(clients)) {
  if (chosen.length > 0 && !chosen.includes(name)) continue;
  await using served = await servedServer();
  known[name] = await prove(served);
  console.log(`${known[name].release}: ${known[name].proved.join(', ')}`);
  await writeFile(record, JSON.stringify(known));
  await promisify(execFile)('oxfmt', [record]);
}

async function proveClientGo(served: ServedServer): Promise<Proof> {
  const { program, release } = await clientGoProgram();
  const { stdout } = await run(served, program, []);
  return { release, proved: stdout.trim().split('\n') };
}

async function proveHelm(served: ServedServer): Promise<Proof> {
  const program = await released('helm');
  const chart = join(served.folder, 'chart');
  await writeChart(chart);
  const helm = async (...args: string[]): Promise<string> =>
    (await run(served, program, ['--namespace=helm', ...args])).stdout;
  const color = async (): Promise<string | undefined> =>
    (await served.client.find(ConfigMap, { namespace: 'helm', name: 'web' }))?.data?.['color'];

  await helm('install', 'web', chart, '--create-namespace');
  assert.equal(await color(), 'red');
  assert.ok(await served.client.find(Deployment, { namespace: 'helm', name: 'web' }));
  await helm('upgrade', 'web', chart, '--set', 'color=blue');
  assert.equal(await color(), 'blue');
  await helm('rollback', 'web', '1');
  assert.equal(await color(), 'red');
  assert.equal((JSON.parse(await helm('history', 'web', '--output=json')) as unknown[]).length, 3);
  await helm('uninstall', 'web');
  assert.equal(await color(), undefined);
  assert.deepEqual(JSON.parse(await helm('list', '--output=json')), []);
  const proved = ['installs a chart and its definitions', 'upgrades', 'rolls back', 'shows the history', 'uninstalls'];
  return { release: releases.helm.module, proved };
}

async function proveChainsaw(served: ServedServer): Promise<Proof> {
  const program = await released('chainsaw');
  const folder = fileURLToPath(new URL('chainsaw', import.meta.url));
  const { stdout } = await run(served, program, ['test', '--no-color', '--test-dir', folder]);
  assert.match(stdout, /- Passed\s+tests\s+1\n/i);
  const proved = [
    'creates, patches, asserts and expects errors',
    'applies and deletes a workload',
    'deletes its namespace',
  ];
  return { release: releases.chainsaw.module, proved };
}

/** Runs a client as administrator, with its own home folder. */
async function run(served: ServedServer, program: string, args: readonly string[]): Promise<{ stdout: string }> {
  const env = { ...process.env, KUBECONFIG: served.kubeconfig, HOME: served.folder, XDG_CACHE_HOME: served.folder };
  return promisify(execFile)(program, args, { env, timeout: 300_000 });
}
