// SPDX-License-Identifier: Apache-2.0
import { conditionsOf } from '@forge/runtime/steps/step.ts';
import { OpenBaoCluster } from './api/openbao-cluster.ts';
import { openbaoConditions } from './conditions/condition-catalog.ts';
import { openbaoDashboard } from './dashboard.ts';
import { openbaoOperator } from './operator.ts';
import { openbaoSteps } from './reconcile.ts';
import { init } from './steps/cluster/init.ts';
import { summary } from './steps/cluster/summary.ts';

const { name, condition, conditions } = summary;
const stepped = new Set(openbaoSteps.flatMap(conditionsOf).map(({ type }) => type));

/** The summary, with the conditions that only it reports. They are about pods, so they come after the initialisation. */
const reported = { name, condition, conditions: conditions.filter(({ type }) => !stepped.has(type)), needs: { init } };

/** The entry of this operator in the register. */
export const openbao = {
  name: 'openbao',
  operator: openbaoOperator,
  kinds: [{ kind: OpenBaoCluster, steps: [...openbaoSteps, reported], conditions: openbaoConditions }],
  programs: { 'c5c3/openbao-executor': 'executor/openbao-executor.mjs' },
  dashboard: openbaoDashboard,
  development: () => import('./test/development.ts'),
} as const;
