// SPDX-License-Identifier: Apache-2.0
import type { ConditionCase, ConditionCatalog, ConditionType, EventCase, Recheck } from './condition-catalog.ts';
import { anyConditions, readyConditions } from './engine-cases.ts';
import { conditionTypes, desiredStatus } from './readiness.ts';

/** The catalog as a reference page: every condition and Event, with the template of its message. */
export function catalogPage(resource: string, catalog: ConditionCatalog): string {
  const { conditions, events, ready } = catalog;
  const all = [...readyConditions(ready), ...conditions, ...anyConditions];
  const sections = [...Map.groupBy(all, ({ type }) => type)].map(([type, cases]) => [
    type === '*' ? '## Any condition' : `## ${type}`,
    '',
    ...meaningOf(cases[0]),
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
    ...(ready === 'none'
      ? [`There is no condition Ready: a ${resource} is ready when ${desiredOf(catalog)}.`, '']
      : []),
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

/** What a condition says about the resource, unless it is one of those that should be True. */
function meaningOf({ inverse, informational }: Partial<ConditionType> = {}): string[] {
  const sentences = [
    ...(inverse === true ? ['It should be False.'] : []),
    ...(informational === true ? ['Whether the resource is ready does not depend on it.'] : []),
  ];
  return sentences.length === 0 ? [] : [sentences.join(' '), ''];
}

/** The statuses with which a resource of a kind without Ready is ready. */
function desiredOf(catalog: ConditionCatalog): string {
  const counted = conditionTypes(catalog).filter(({ informational }) => informational !== true);
  return new Intl.ListFormat('en').format(counted.map((each) => `${each.type} is ${desiredStatus(each)}`));
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
