// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ClaimView } from './removal.ts';
import { startingReplicas } from './starting-replicas.ts';

/** Claims, one a letter: `d` has data, `?` is of a server whose removal was begun, `x` of one that was removed, `-` is missing. */
const claims = (letters: string): ClaimView[] =>
  letters.split('').flatMap((letter, ordinal): ClaimView[] => {
    if (letter === '-') return [];
    return letter === 'd' ? [{ ordinal }] : [{ ordinal, removal: letter === '?' ? 'begun' : 'done' }];
  });

describe('servers start', () => {
  for (const [letters, wanted, fresh, initialised] of [
    ['', 3, 1, 3],
    ['d', 3, 1, 3],
    ['ddd', 3, 3, 3],
    ['ddd', 1, 3, 3],
    ['ddd', 5, 5, 5],
    ['--d', 1, 3, 3],
    // The data of a removed server is not used again, whatever is wanted.
    ['ddddx', 5, 4, 4],
    ['ddddx', 3, 4, 4],
    ['dx', 3, 1, 1],
    ['-x', 2, 1, 1],
    // Unless too few are left without those above it: it is removed again once they have a leader.
    ['ddxdd', 5, 5, 5],
    // Nor that of one that may be removed, where the others have a majority in either case.
    ['dddd?', 5, 4, 4],
    ['dd?', 3, 2, 2],
    ['d?', 3, 3, 3],
    ['d-?', 3, 3, 3],
    // The first server is never removed.
    ['x', 1, 1, 1],
    ['?d', 2, 2, 2],
  ] as const) {
    test(`with the claims "${letters}" and replicas ${wanted}: ${fresh} of a new cluster, ${initialised} of an initialised one`, () => {
      const start = { wanted, claims: claims(letters) };
      const [first, later] = [false, true].map((isInitialized) => startingReplicas({ ...start, isInitialized }));
      assert.deepEqual([first, later], [fresh, initialised]);
    });
  }
});
