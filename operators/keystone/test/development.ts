// SPDX-License-Identifier: Apache-2.0
import { documentedAdmission } from './admission/documented-admission.ts';
import { seededBugs } from './bugs/seeded-bugs.ts';
import { keystoneScenarios } from './simulation/scenarios.ts';

/** What development needs of this operator. */
export const development = { seededBugs, scenarios: keystoneScenarios, admission: documentedAdmission };
