// SPDX-License-Identifier: Apache-2.0
import { autoscalerCases } from './cases/autoscalers.ts';
import { budgetCases } from './cases/budgets.ts';
import { cronJobCases } from './cases/cron-jobs.ts';
import { endpointCases } from './cases/endpoints.ts';
import { jobCases } from './cases/jobs.ts';
import { brokenTemplateCases } from './cases/stateful-sets/broken-templates.ts';
import { claimCases } from './cases/stateful-sets/claims.ts';
import { statefulSetCases } from './cases/stateful-sets/life.ts';
import { updateCases } from './cases/stateful-sets/updates.ts';
import type { ControllerCase } from './controller-case.ts';

/** All cases; an area is a file of recordings. */
export const areas: Readonly<Record<string, readonly ControllerCase[]>> = {
  'cron-jobs': cronJobCases,
  budgets: budgetCases,
  autoscalers: autoscalerCases,
  endpoints: endpointCases,
  jobs: jobCases,
  'stateful-sets': statefulSetCases,
  'stateful-set-updates': [...updateCases, ...brokenTemplateCases],
  'stateful-set-claims': claimCases,
};
