// SPDX-License-Identifier: Apache-2.0
import { documentedAdmission } from './admission/documented-admission.ts';
import { seededBugs } from './bugs/seeded-bugs.ts';
import { controlPlaneScenarios } from './simulation/scenarios.ts';

/** What development needs of this operator. */
export const development = { seededBugs, scenarios: controlPlaneScenarios, admission: documentedAdmission };
