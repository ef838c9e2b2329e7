// SPDX-License-Identifier: Apache-2.0
import { execFile } from 'node:child_process';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Exchange } from '@forge/apiserver/conformance/conversation/exchange.ts';
import { areas } from './areas.ts';
import type { ControllerCase } from './controller-case.ts';
import { casesBegin } from './embedded-stage.ts';
import { namespaceOf, play, prepareCluster, prepareCase, type Stage } from './play.ts';
import { readRecording, recordingFile, writeRecording } from './recording.ts';

/** Records what cases whose area or name contains the filter observe, all at the same time; drops removed cases. */
export async function recordCases(stage: Stage, filter: string, log: (line: string) => void): Promise<void> {
  const chosen = Object.entries(areas).flatMap(([area, cases]) =>
    cases.filter(({ name }) => area.includes(filter) || name.includes(filter)).map((testCase) => ({ area, testCase })),
  );
  if (chosen.length === 0) throw new Error(`No area or testCase has "${filter}" in its name`);
  await prepareCluster(stage);
  await Promise.all(chosen.map(({ testCase }) => prepareCase(stage, testCase)));
  // Scheduled times are full minutes: cases begin soon after one, so that each has the same ones before it.
  await setTimeout(60_000 + casesBegin * 1000 - (Date.now() % 60_000));
  const observed = new Map<string, Exchange[]>();
  const ends = await Promise.allSettled(
    chosen.map(async ({ testCase }) => observed.set(testCase.name, await recorded(stage, testCase))),
  );
  for (const area of new Set(chosen.map((each) => each.area))) {
    const known = await readRecording(area);
    const entries = (areas[area] ?? []).flatMap(({ name }) => {
      const exchanges = observed.get(name) ?? known[name];
      return exchanges === undefined ? [] : [[name, exchanges] as const];
    });
    await writeRecording(area, Object.fromEntries(entries));
    await promisify(execFile)('oxfmt', [recordingFile(area)]);
    log(`${area}: ${entries.length} cases`);
  }
  const failures = ends.filter((end) => end.status === 'rejected').map(({ reason }) => reason as Error);
  if (failures.length > 0) throw new AggregateError(failures, 'some cases were not recorded');
}

async function recorded(stage: Stage, testCase: ControllerCase): Promise<Exchange[]> {
  try {
    return await play(stage, testCase);
  } catch (error) {
    throw new Error(`"${testCase.name}" (${namespaceOf(testCase)}) failed on the real cluster`, { cause: error });
  }
}
