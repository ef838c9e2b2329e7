// SPDX-License-Identifier: Apache-2.0
import type { Fold } from '../syntax/ast.ts';

/** What a walk costs besides its body: the result to begin with, each step, and the result in the end. */
interface FoldCost {
  /** Estimated only: at run time, what is empty is a constant and costs nothing. */
  readonly start: number;
  readonly step: number;
  /** A step whose item the filter passes over. */
  readonly skip: number;
  readonly end: number;
}

/**
 * Kubernetes spells a walk out as expressions over a variable that gathers the result, and counts those: reading the
 * variable is 1, a new list 10, a new map 30, every call 1.
 */
export const foldCosts: Readonly<Record<Fold, FoldCost>> = {
  all: { start: 0, step: 3, skip: 0, end: 1 },
  exists: { start: 0, step: 4, skip: 0, end: 1 },
  existsOne: { start: 0, step: 2, skip: 1, end: 2 },
  list: { start: 10, step: 12, skip: 1, end: 1 },
  map: { start: 30, step: 3, skip: 1, end: 1 },
  mapEntries: { start: 30, step: 2, skip: 1, end: 1 },
};
