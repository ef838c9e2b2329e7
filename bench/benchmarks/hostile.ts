// SPDX-License-Identifier: Apache-2.0
import { ruleErrors } from '@forge/apiserver/cel/rules/compile-rules.ts';
import { validateRules } from '@forge/apiserver/cel/rules/validate-rules.ts';
import { compiling, object, running, schemaOf } from '@forge/apiserver/cel/test/hostile-rules.ts';
import * as patterns from '@forge/kube/regex/test/hostile-patterns.ts';
import { structuralErrors } from '@forge/kube/schema/structural.ts';
import { validateValue } from '@forge/kube/schema/validate.ts';
import { threadTime } from '@forge/testing/longest-block.ts';
import type { Figure } from '../harness/figure.ts';
import { timed } from '../harness/measure.ts';

const rounds = 5;

/**
 * Hostile validation rules and patterns: the worst time that each occupies the server before its cost limit is reached.
 */
export async function hostile(): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const [name, rule] of Object.entries(running)) {
    figures.push(await figureOf(name, () => validateRules({ schema: schemaOf(rule), object })));
  }
  for (const [name, rule] of Object.entries(compiling)) {
    figures.push(await figureOf(name, () => ruleErrors(schemaOf(rule), 'schema')));
  }
  for (const [name, [pattern, value]] of Object.entries(patterns.matching)) {
    figures.push(await figureOf(name, () => validateValue(value, { type: 'string', pattern })));
  }
  for (const [name, schema] of Object.entries(patterns.compiling)) {
    figures.push(await figureOf(name, () => structuralErrors(schema, 'schema')));
  }
  return figures;
}

async function figureOf(what: string, work: () => unknown): Promise<Figure> {
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1) times.push(await timed(threadTime, work));
  return { what, samples: times, statistic: 'max', unit: 'ms', goal: { atMost: 100 } };
}
