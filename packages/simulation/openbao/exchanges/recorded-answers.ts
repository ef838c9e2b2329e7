// SPDX-License-Identifier: Apache-2.0
import { readFileSync } from 'node:fs';
import type { Comparable } from './comparable.ts';
import type { Suite } from './exchange.ts';
import { raftSuite } from './raft-suite.ts';
import { singleSuite } from './single-suite.ts';

/** The versions whose answers are recorded. */
export const versions = ['2.6.2', '2.7.2'] as const;

/** All suites, by name. */
export const suites: Readonly<Record<string, Suite>> = { single: singleSuite, raft: raftSuite };

/** The answers of the real server of this version, by suite and by what they show. */
export function recordedAnswers(version: string): Readonly<Record<string, Readonly<Record<string, Comparable>>>> {
  return JSON.parse(readFileSync(recordOf(version), 'utf8')) as ReturnType<typeof recordedAnswers>;
}

/** The file with the answers of this version. */
export function recordOf(version: string): URL {
  return new URL(`recorded/${version}.json`, import.meta.url);
}
