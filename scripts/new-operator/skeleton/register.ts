// SPDX-License-Identifier: Apache-2.0
import { Specimen } from './api/specimen.ts';
import { specimenConditions } from './conditions/condition-catalog.ts';
import { specimenDashboard } from './dashboard.ts';
import { specimenOperator } from './operator.ts';
import { specimenSteps } from './reconcile.ts';

/** The entry of this operator in the register. */
export const specimen = {
  name: 'specimen',
  operator: specimenOperator,
  kinds: [{ kind: Specimen, steps: specimenSteps, conditions: specimenConditions }],
  dashboard: specimenDashboard,
  development: () => import('./test/development.ts'),
} as const;
