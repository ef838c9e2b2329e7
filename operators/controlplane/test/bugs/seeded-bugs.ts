// SPDX-License-Identifier: Apache-2.0
import type { OperatorBug } from '@forge/testing/bugs/operator-bugs.ts';
import { credentialBugs } from './credential.ts';
import { deletionBugs } from './deletion.ts';
import { lifecycleBugs } from './lifecycle.ts';

/** Seeded bugs of the operator, each with the test that must detect it. */
export const seededBugs: readonly OperatorBug[] = [...credentialBugs, ...lifecycleBugs, ...deletionBugs];
