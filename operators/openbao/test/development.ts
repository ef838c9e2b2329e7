// SPDX-License-Identifier: Apache-2.0
import { seededBugs } from './bugs/seeded-bugs.ts';
import { openbaoScenarios } from './simulation/scenarios.ts';

/** What development needs of this operator. */
export const development = { seededBugs, scenarios: openbaoScenarios };
