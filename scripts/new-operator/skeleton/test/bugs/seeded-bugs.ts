// SPDX-License-Identifier: Apache-2.0
import type { OperatorBug } from '@forge/testing/bugs/operator-bugs.ts';

/** Seeded bugs of the operator, each with the test that must detect it. */
export const seededBugs: readonly OperatorBug[] = [
  {
    name: 'the text is not written',
    file: 'objects/config-map.ts',
    find: 'data: { text },',
    replace: "data: { text: '' },",
    caughtBy: ['conditions/condition-catalog.test.ts', 'covers a Specimen without a text, until it has one'],
  },
];
