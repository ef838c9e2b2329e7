// SPDX-License-Identifier: Apache-2.0
import { OpenBaoCluster } from './api/openbao-cluster.ts';
import { openbaoConditions } from './conditions/condition-catalog.ts';
import { openbaoDashboard } from './dashboard.ts';
import { openbaoOperator } from './operator.ts';
import { openbaoSteps } from './reconcile.ts';

/** The entry of this operator in the register. */
export const openbao = {
  name: 'openbao',
  operator: openbaoOperator,
  kinds: [{ kind: OpenBaoCluster, steps: openbaoSteps, conditions: openbaoConditions }],
  dashboard: openbaoDashboard,
  development: () => import('./test/development.ts'),
} as const;
