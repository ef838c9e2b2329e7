// SPDX-License-Identifier: Apache-2.0
import { differences } from '@forge/apiserver/contract/conversation/differences.ts';
import type { Exchange } from '@forge/apiserver/contract/conversation/exchange.ts';
import { embeddedStage } from './embedded-stage.ts';
import { play, prepareCluster, prepareRow } from './play.ts';
import type { Row } from './row.ts';

/** Maximum length of a printed mismatch. */
const shown = 30;

/** How our controllers differ from the recording of a row; undefined when they do not. */
export async function mismatch(
  row: Row,
  recorded: readonly Exchange[] | undefined,
  openStage: typeof embeddedStage = embeddedStage,
): Promise<string | undefined> {
  if (recorded === undefined) return `"${row.name}" is not recorded: npm run controllers:record -- "${row.name}"`;
  await using stage = await openStage();
  await prepareCluster(stage);
  await prepareRow(stage, row);
  let lines: string[];
  try {
    lines = differences(recorded, await play(stage, row));
  } catch (error) {
    lines = [`the row ended early: ${(error as Error).message}`];
  }
  if (lines.length === 0) return undefined;
  const more = lines.length > shown ? [`… and ${lines.length - shown} more`] : [];
  return [`"${row.name}" differs:`, ...lines.slice(0, shown), ...more].join('\n  ');
}
