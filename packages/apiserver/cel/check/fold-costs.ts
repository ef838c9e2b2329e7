// SPDX-License-Identifier: Apache-2.0
import type { Fold } from '../syntax/ast.ts';

/** The cost of a fold besides its body: initial result, each step, and final result. */
interface FoldCost {
  /** Only in estimates: at run time an empty literal is a constant without cost. */
  readonly start: number;
  readonly step: number;
  /** A step whose item the filter rejects. */
  readonly skip: number;
  readonly end: number;
}

/**
 * Kubernetes expands a fold to expressions over an accumulator, and counts those: reading the accumulator costs 1, a
 * new list 10, a new map 30, every call 1.
 */
export const foldCosts: Readonly<Record<Fold, FoldCost>> = {
  all: { start: 0, step: 3, skip: 0, end: 1 },
  exists: { start: 0, step: 4, skip: 0, end: 1 },
  existsOne: { start: 0, step: 2, skip: 1, end: 2 },
  list: { start: 10, step: 12, skip: 1, end: 1 },
  map: { start: 30, step: 3, skip: 1, end: 1 },
  mapEntries: { start: 30, step: 2, skip: 1, end: 1 },
};
