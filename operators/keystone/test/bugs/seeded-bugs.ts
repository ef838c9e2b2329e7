// SPDX-License-Identifier: Apache-2.0
import type { OperatorBug } from '@forge/testing/bugs/operator-bugs.ts';
import { databaseBugs } from './database.ts';
import { keyBugs } from './keys.ts';
import { lifecycleBugs } from './lifecycle.ts';
import { rolloutBugs } from './rollout.ts';

/** Seeded bugs of the operator, each with the test that must detect it. */
export const seededBugs: readonly OperatorBug[] = [...keyBugs, ...databaseBugs, ...lifecycleBugs, ...rolloutBugs];
