// SPDX-License-Identifier: Apache-2.0
import { declareBugTests } from '@forge/testing/bugs/operator-bugs.ts';
import { seededBugs } from './seeded-bugs.ts';

// That they are caught: npm run bugs -- openbao
declareBugTests('openbao', seededBugs, []);
