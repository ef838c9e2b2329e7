// SPDX-License-Identifier: Apache-2.0
import { conditionRows } from '@forge/runtime/contract/rows.ts';

/** What is said of the autoscaling of the API pods. */
export const hpaReady = conditionRows('HPAReady', {
  notRequired: { status: 'True', reason: 'HPANotRequired', message: 'Autoscaling is not configured' },
  configured: { status: 'True', reason: 'HPAReady', message: 'HorizontalPodAutoscaler is configured' },
});
