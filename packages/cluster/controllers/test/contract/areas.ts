// SPDX-License-Identifier: Apache-2.0
import type { Row } from './row.ts';
import { autoscalerRows } from './rows/autoscalers.ts';
import { budgetRows } from './rows/budgets.ts';
import { cronJobRows } from './rows/cron-jobs.ts';
import { endpointRows } from './rows/endpoints.ts';
import { jobRows } from './rows/jobs.ts';

/** All rows; an area is a file of recordings. */
export const areas: Readonly<Record<string, readonly Row[]>> = {
  'cron-jobs': cronJobRows,
  budgets: budgetRows,
  autoscalers: autoscalerRows,
  endpoints: endpointRows,
  jobs: jobRows,
};
