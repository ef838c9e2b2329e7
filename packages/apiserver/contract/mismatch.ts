// SPDX-License-Identifier: Apache-2.0
import { converse } from './conversation/converse.ts';
import { differences } from './conversation/differences.ts';
import type { Exchange } from './conversation/exchange.ts';
import type { Row } from './conversation/row.ts';
import { embeddedWire, type EmbeddedWire } from './wires/embedded-wire.ts';

/** Maximum length of a printed mismatch. */
const shown = 30;

/** How a fresh embedded server differs from the recording of a row; undefined when it does not. */
export async function mismatch(
  row: Row,
  recorded: readonly Exchange[] | undefined,
  openWire: () => Promise<EmbeddedWire> = embeddedWire,
): Promise<string | undefined> {
  if (recorded === undefined) return `"${row.name}" is not recorded: npm run contract:record -- "${row.name}"`;
  const wire = await openWire();
  try {
    const { exchanges, error } = await converse(row, wire);
    const lines = differences(recorded, exchanges);
    if (error !== undefined) lines.push(`and the conversation broke off: ${error.message}`);
    if (lines.length === 0) return undefined;
    const more = lines.length > shown ? [`… and ${lines.length - shown} more`] : [];
    return [`"${row.name}" differs:`, ...lines.slice(0, shown), ...more].join('\n  ');
  } finally {
    await wire.close();
  }
}
