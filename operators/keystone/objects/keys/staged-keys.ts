// SPDX-License-Identifier: Apache-2.0
import { formatProblem, type Keys } from './key-format.ts';

const minKeys = 3;

/** Why staged keys must not replace those in production; undefined when they may. */
export function rejectionOf(staged: Keys, production: Keys, maxActiveKeys: number): string | undefined {
  const indices = Object.keys(staged).toSorted();
  const [count, max] = [indices.length, maxActiveKeys + 1];
  if (count < minKeys || count > max) return `key count out of range: got ${count}, want [${minKeys}, ${max}]`;
  for (const index of indices) {
    const problem = formatProblem(index, staged[index]);
    if (problem !== undefined) return `invalid key format: key "${index}" ${problem}`;
  }
  if (staged['0'] === undefined) return 'invalid key format: key "0" is missing';
  return duplicateProblem(staged, indices) ?? staleProblem(staged, production);
}

/** Why the text is no completion time; undefined when it is one, in RFC 3339. */
export function timestampProblem(text: string): string | undefined {
  const isTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/.test(text) && !isNaN(Date.parse(text));
  return isTime ? undefined : `cannot parse ${JSON.stringify(text.slice(0, 64))} as an RFC 3339 time`;
}

function duplicateProblem(staged: Keys, indices: readonly string[]): string | undefined {
  for (const [at, a] of indices.entries()) {
    const b = indices.slice(at + 1).find((other) => staged[other] === staged[a]);
    if (b !== undefined) return `duplicate keys detected: keys "${a}" and "${b}"`;
  }
  return undefined;
}

/** A rotation promotes production's key 0 and keeps production's primary; one that does not began with other keys. */
function staleProblem(staged: Keys, production: Keys): string | undefined {
  if (primaryOf(staged) !== production['0']) return `stale rotation: its primary key is not production's key 0`;
  const primary = primaryOf(production);
  if (primary === undefined || Object.values(staged).includes(primary)) return undefined;
  return `stale rotation: production's primary key is not among its keys`;
}

/** The key of the highest index. */
function primaryOf(keys: Keys): string | undefined {
  const indices = Object.keys(keys).map(Number);
  return keys[String(Math.max(...indices.filter((index) => Number.isInteger(index))))];
}
