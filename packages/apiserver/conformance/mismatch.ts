// SPDX-License-Identifier: Apache-2.0
import type { ConformanceCase } from './conversation/conformance-case.ts';
import { converse } from './conversation/converse.ts';
import { differences } from './conversation/differences.ts';
import type { Exchange } from './conversation/exchange.ts';
import { embeddedWire, type EmbeddedWire } from './wires/embedded-wire.ts';

/** Maximum length of a printed mismatch. */
const shown = 30;

/** How a fresh embedded server differs from the recording of a case; undefined when it does not. */
export async function mismatch(
  testCase: ConformanceCase,
  recorded: readonly Exchange[] | undefined,
  openWire: () => Promise<EmbeddedWire> = embeddedWire,
): Promise<string | undefined> {
  if (recorded === undefined)
    return `"${testCase.name}" is not recorded: npm run conformance:record -- "${testCase.name}"`;
  const wire = await openWire();
  try {
    const { exchanges, error } = await converse(testCase, wire);
    const lines = differences(recorded, exchanges);
    if (error !== undefined) lines.push(`and the conversation ended with an error: ${error.message}`);
    if (lines.length === 0) return undefined;
    const more = lines.length > shown ? [`… and ${lines.length - shown} more`] : [];
    return [`"${testCase.name}" differs:`, ...lines.slice(0, shown), ...more].join('\n  ');
  } finally {
    await wire.close();
  }
}
