// SPDX-License-Identifier: Apache-2.0
import { declareBugTests } from '@forge/runtime/testing/operator-bugs.ts';
import { seededBugs } from './seeded-bugs.ts';

// All of them: npm run bugs:controlplane
declareBugTests('controlplane', seededBugs, ['External Secrets reads before it has pushed']);
