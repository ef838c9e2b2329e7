// SPDX-License-Identifier: Apache-2.0
import { Keystone } from './api/keystone.ts';
import { keystoneConditions } from './conditions/condition-catalog.ts';
import { keystoneDashboard } from './dashboard.ts';
import { keystoneOperator } from './operator.ts';
import { keystoneSteps } from './reconcile.ts';

/** The entry of this operator in the register. */
export const keystone = {
  name: 'keystone',
  operator: keystoneOperator,
  kinds: [{ kind: Keystone, steps: keystoneSteps, conditions: keystoneConditions }],
  dashboard: keystoneDashboard,
  development: () => import('./test/development.ts'),
} as const;
