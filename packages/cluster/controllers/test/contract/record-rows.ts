// SPDX-License-Identifier: Apache-2.0
import { execFile } from 'node:child_process';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Exchange } from '@forge/apiserver/contract/conversation/exchange.ts';
import { areas } from './areas.ts';
import { rowsBegin } from './embedded-stage.ts';
import { namespaceOf, play, prepareCluster, prepareRow, type Stage } from './play.ts';
import { readRecording, recordingFile, writeRecording } from './recording.ts';
import type { Row } from './row.ts';

/** Records what rows whose area or name contains the filter observe, all at the same time; drops removed rows. */
export async function recordRows(stage: Stage, filter: string, log: (line: string) => void): Promise<void> {
  const chosen = Object.entries(areas).flatMap(([area, rows]) =>
    rows.filter(({ name }) => area.includes(filter) || name.includes(filter)).map((row) => ({ area, row })),
  );
  if (chosen.length === 0) throw new Error(`No area or row has "${filter}" in its name`);
  await prepareCluster(stage);
  await Promise.all(chosen.map(({ row }) => prepareRow(stage, row)));
  // Scheduled times are full minutes: rows begin soon after one, so that each has the same ones before it.
  await setTimeout(60_000 + rowsBegin * 1000 - (Date.now() % 60_000));
  const observed = new Map<string, Exchange[]>();
  const ends = await Promise.allSettled(
    chosen.map(async ({ row }) => observed.set(row.name, await recorded(stage, row))),
  );
  for (const area of new Set(chosen.map((each) => each.area))) {
    const known = await readRecording(area);
    const entries = (areas[area] ?? []).flatMap(({ name }) => {
      const exchanges = observed.get(name) ?? known[name];
      return exchanges === undefined ? [] : [[name, exchanges] as const];
    });
    await writeRecording(area, Object.fromEntries(entries));
    await promisify(execFile)('oxfmt', [recordingFile(area)]);
    log(`${area}: ${entries.length} rows`);
  }
  const failures = ends.filter((end) => end.status === 'rejected').map(({ reason }) => reason as Error);
  if (failures.length > 0) throw new AggregateError(failures, 'some rows were not recorded');
}

async function recorded(stage: Stage, row: Row): Promise<Exchange[]> {
  try {
    return await play(stage, row);
  } catch (error) {
    throw new Error(`"${row.name}" (${namespaceOf(row)}) failed on the real cluster`, { cause: error });
  }
}
