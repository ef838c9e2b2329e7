// SPDX-License-Identifier: Apache-2.0
import { declareBugTests } from '@forge/testing/bugs/operator-bugs.ts';
import { seededBugs } from './seeded-bugs.ts';

// All of them: npm run bugs -- keystone
declareBugTests('keystone', seededBugs, [
  'staged keys are not checked against production',
  'digests are made without a key',
]);
