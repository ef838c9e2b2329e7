// SPDX-License-Identifier: Apache-2.0
import type { ConditionRow, Contract, EventRow, Recheck } from './contract.ts';

/** How many of the tests that observe a row its line names. */
const namedTests = 2;

/** The contract as a reference page: what each condition and Event says, and the tests that observe it. */
export function contractPage(
  resource: string,
  { conditions, events }: Contract,
  testsOf: (row: ConditionRow | EventRow) => readonly string[],
): string {
  const observed = (row: ConditionRow | EventRow): string => {
    const tests = testsOf(row);
    const more = tests.length - namedTests;
    return [...tests.slice(0, namedTests), ...(more > 0 ? [`${more} more`] : [])].join('; ');
  };
  const sections = [...Map.groupBy(conditions, ({ type }) => type)].map(([type, rows]) => [
    `## ${type}`,
    '',
    ...table(
      ['status', 'reason', 'message', 'looked at again', 'observed by'],
      rows.map((row) => [row.status, row.reason, messageOf(row), recheckOf(row.recheck), observed(row)]),
    ),
  ]);
  return [
    `# Conditions and Events of a ${resource}`,
    '',
    'Made by the tests that observe them: each row names the first tests in which it was seen, and nothing else was seen.',
    '',
    ...sections.flatMap((section) => [...section, '']),
    '## Events',
    '',
    ...table(
      ['type', 'reason', 'message', 'observed by'],
      events.map((row) => [row.type, row.reason, messageOf(row), observed(row)]),
    ),
    '',
  ].join('\n');
}

function messageOf(row: ConditionRow | EventRow): string {
  const text = row.message === '' ? '' : `\`${row.message}\``;
  return 'suffix' in row ? `${text}, then the trouble of the pods if there is any` : text;
}

function recheckOf(recheck: Recheck | undefined): string {
  if (recheck === undefined) return 'when something changes';
  if (recheck === 'backoff') return 'with exponential backoff';
  if (recheck === 'computed') return 'when the step says';
  return recheck === 0 ? 'at once' : `after ${recheck / 1000} s`;
}

/** A table with its columns aligned, as the formatter would have it. */
function table(heads: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const cells = [heads, ...rows].map((row) => row.map((cell) => cell.replaceAll('|', '\\|')));
  const widths = heads.map((_, column) => Math.max(3, ...cells.map((row) => row[column]?.length ?? 0)));
  const [head = '', ...lines] = cells.map(
    (row) => `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`,
  );
  return [head, `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`, ...lines];
}
