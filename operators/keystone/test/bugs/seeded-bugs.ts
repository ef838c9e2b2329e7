// SPDX-License-Identifier: Apache-2.0
import { databaseBugs } from './database.ts';
import { keyBugs } from './keys.ts';
import { lifecycleBugs } from './lifecycle.ts';
import type { SeededBug } from './seeded-bug.ts';

/** Seeded bugs of the operator, each with the test that must detect it. */
export const seededBugs: readonly SeededBug[] = [...keyBugs, ...databaseBugs, ...lifecycleBugs];
