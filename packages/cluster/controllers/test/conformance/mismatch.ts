// SPDX-License-Identifier: Apache-2.0
import { differences } from '@forge/apiserver/conformance/conversation/differences.ts';
import type { Exchange } from '@forge/apiserver/conformance/conversation/exchange.ts';
import type { ControllerCase } from './controller-case.ts';
import { embeddedStage } from './embedded-stage.ts';
import { play, prepareCluster, prepareCase } from './play.ts';

/** Maximum length of a printed mismatch. */
const shown = 30;

/** How our controllers differ from the recording of a case; undefined when they do not. */
export async function mismatch(
  testCase: ControllerCase,
  recorded: readonly Exchange[] | undefined,
  openStage: typeof embeddedStage = embeddedStage,
): Promise<string | undefined> {
  if (recorded === undefined)
    return `"${testCase.name}" is not recorded: npm run controllers:record -- "${testCase.name}"`;
  await using stage = await openStage();
  await prepareCluster(stage);
  await prepareCase(stage, testCase);
  let lines: string[];
  try {
    lines = differences(recorded, await play(stage, testCase));
  } catch (error) {
    lines = [`the case ended early: ${(error as Error).message}`];
  }
  if (lines.length === 0) return undefined;
  const more = lines.length > shown ? [`… and ${lines.length - shown} more`] : [];
  return [`"${testCase.name}" differs:`, ...lines.slice(0, shown), ...more].join('\n  ');
}
