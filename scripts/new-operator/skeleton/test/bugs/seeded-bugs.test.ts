// SPDX-License-Identifier: Apache-2.0
import { declareBugTests } from '@forge/testing/bugs/operator-bugs.ts';
import { seededBugs } from './seeded-bugs.ts';

// npm run bugs -- specimen shows that they are caught.
declareBugTests('../scripts/new-operator/skeleton', seededBugs, []);
