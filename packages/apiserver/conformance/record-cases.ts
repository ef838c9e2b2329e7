// SPDX-License-Identifier: Apache-2.0
import { execFile } from 'node:child_process';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { kubernetesVersion } from '@forge/kube/kinds/kubernetes-version.ts';
import { areas } from './areas.ts';
import type { ConformanceCase } from './conversation/conformance-case.ts';
import { converse, namespaceOf } from './conversation/converse.ts';
import type { Exchange } from './conversation/exchange.ts';
import { readRecording, recordingFile, writeRecording } from './recording.ts';
import type { Wire } from './wires/wire.ts';

/** Cases recorded concurrently; each has its own namespace. */
const concurrency = 8;

/** Records the answers of the real server to the cases whose area or name contains the filter; drops removed cases. */
export async function recordCases(wire: Wire, filter: string, log: (line: string) => void): Promise<void> {
  await checkVersion(wire);
  const chosen = Object.entries(areas).flatMap(([area, cases]) =>
    cases.filter(({ name }) => area.includes(filter) || name.includes(filter)).map((testCase) => ({ area, testCase })),
  );
  if (chosen.length === 0) throw new Error(`No area or testCase has "${filter}" in its name`);
  const answers = new Map<string, Exchange[]>();
  const waiting = chosen.values();
  await Promise.all(
    Array.from({ length: concurrency }, async () => {
      for (const { testCase } of waiting) answers.set(testCase.name, await answersTo(testCase, wire));
    }),
  );
  for (const area of new Set(chosen.map((each) => each.area))) {
    const known = await readRecording(area);
    const entries = (areas[area] ?? []).flatMap(({ name }) => {
      const exchanges = answers.get(name) ?? known[name];
      return exchanges === undefined ? [] : [[name, exchanges] as const];
    });
    await writeRecording(area, Object.fromEntries(entries));
    await promisify(execFile)('oxfmt', [recordingFile(area)]);
    log(`${area}: ${entries.length} cases`);
  }
}

/** Recordings are of one version only. */
async function checkVersion(wire: Wire): Promise<void> {
  const { body } = await ask(wire, '/version');
  const { gitVersion } = body as { gitVersion: string };
  if (gitVersion === kubernetesVersion) return;
  throw new Error(`The server is Kubernetes ${gitVersion}; cases are recorded from ${kubernetesVersion} only`);
}

async function answersTo(testCase: ConformanceCase, wire: Wire): Promise<Exchange[]> {
  const { exchanges, error } = await converse(testCase, wire, async (namespace) => {
    await defaultServiceAccount(wire, namespace);
    // Timestamps have a resolution of seconds, so a case starts at a full second and mostly ends within it.
    await setTimeout(1000 - (Date.now() % 1000));
  });
  if (error === undefined) return exchanges;
  throw new Error(`"${testCase.name}" (${namespaceOf(testCase)}) did not complete on the real server`, {
    cause: error,
  });
}

/** Pods are rejected until a controller has created the namespace's ServiceAccount. */
async function defaultServiceAccount(wire: Wire, namespace: string): Promise<void> {
  const path = `/api/v1/namespaces/${namespace}/serviceaccounts/default`;
  await wire.until(async () => (await ask(wire, path)).status === 200);
}

async function ask(wire: Wire, path: string): Promise<{ status: number; body: unknown }> {
  const { status, body } = await wire.send({ method: 'GET', path, query: {}, headers: {} });
  return { status, body: JSON.parse(Buffer.concat(await Array.fromAsync(body)).toString()) as unknown };
}
