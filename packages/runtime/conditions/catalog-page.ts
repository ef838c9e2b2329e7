// SPDX-License-Identifier: Apache-2.0
import type { ConditionCase, ConditionCatalog, EventCase, Recheck } from './condition-catalog.ts';
import { anyConditions, readyConditions } from './engine-cases.ts';

/** The catalog as a reference page: every condition and Event, with the template of its message. */
export function catalogPage(resource: string, { conditions, events, ready }: ConditionCatalog): string {
  const all = [...readyConditions(ready), ...conditions, ...anyConditions];
  const sections = [...Map.groupBy(all, ({ type }) => type)].map(([type, cases]) => [
    type === '*' ? '## Any condition' : `## ${type}`,
    '',
    ...table(
      ['status', 'reason', 'message', 'requeued'],
      cases.map((definition) => [
        definition.status,
        definition.reason,
        messageOf(definition),
        recheckOf(definition.recheck),
      ]),
    ),
  ]);
  return [
    `# Conditions and Events of a ${resource}`,
    '',
    'Everything that the operator reports; tests keep the list complete. In a message, `{name}` stands for any text.',
    '',
    ...sections.flatMap((section) => [...section, '']),
    '## Events',
    '',
    ...table(
      ['type', 'reason', 'message'],
      events.map((definition) => [definition.type, definition.reason, messageOf(definition)]),
    ),
    '',
  ].join('\n');
}

function messageOf(definition: ConditionCase | EventCase): string {
  const text = definition.message === '' ? '' : `\`${definition.message}\``;
  return 'suffix' in definition ? `${text}, then \`: {details}\` if there are any` : text;
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
