// SPDX-License-Identifier: Apache-2.0
import { readdir, readFile } from 'node:fs/promises';
import type { ConditionCase } from '@forge/runtime/conditions/condition-catalog.ts';
import { minutes, seconds, type Duration } from '@forge/runtime/environment/duration.ts';

const numbers = 'zero one two three four five six seven eight nine ten eleven twelve'.split(' ');
const counts: ReadonlyMap<string, number> = new Map([
  ...numbers.map((word, count) => [word, count] as const),
  ['a', 1],
  ['an', 1],
  ['half a', 1 / 2],
  ['half an', 1 / 2],
  ['a quarter of an', 1 / 4],
]);
const units = { s: seconds(1), seconds: seconds(1), minute: minutes(1), hour: minutes(60) };

const phrase = new RegExp(
  String.raw`\b(?:(\d+) (?:to|or) )?(\d+|${[...counts.keys()].toSorted((a, b) => b.length - a.length).join('|')}) (s|seconds|minutes?|hours?)\b`,
  'gi',
);

/** The durations in the prose of a page, in their order; of a range, both ends. Blocks of code are examples, and left out. */
function durationsIn(markdown: string): Duration[] {
  const prose = markdown.replaceAll(/^( *)```[^]*?^\1```$/gm, '').replaceAll(/\s+/g, ' ');
  return [...prose.matchAll(phrase)].flatMap(([, from, to = '', unit = '']) => {
    const length = units[unit.replace(/(?<=minute|hour)s$/i, '').toLowerCase() as keyof typeof units];
    return [from, to]
      .filter((each) => each !== undefined)
      .map((each) => ((counts.get(each.toLowerCase()) ?? Number(each)) * length) as Duration);
  });
}

/** The shortest and the longest time after which a condition that is not True is rechecked. */
export function recheckRange(cases: readonly ConditionCase[]): readonly Duration[] {
  const rechecks = cases.flatMap(({ status, recheck }) =>
    status !== 'True' && typeof recheck === 'number' && recheck > 0 ? [recheck] : [],
  );
  return [Math.min(...rechecks) as Duration, Math.max(...rechecks) as Duration];
}

/** The durations in each page of a folder that has any. */
export async function durationsOfPages(folder: URL): Promise<Record<string, Duration[]>> {
  const pages = (await readdir(folder)).filter((name) => name.endsWith('.md')).toSorted();
  const found = await Promise.all(
    pages.map(async (name) => [name, durationsIn(await readFile(new URL(name, folder), 'utf8'))] as const),
  );
  return Object.fromEntries(found.filter(([, durations]) => durations.length > 0));
}
