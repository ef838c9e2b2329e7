// SPDX-License-Identifier: Apache-2.0
import { conditionCases } from '@forge/runtime/conditions/cases.ts';

/** What is reported about the autoscaling of the API pods. */
export const hpaReady = conditionCases('HPAReady', {
  notRequired: { status: 'True', reason: 'HPANotRequired', message: 'Autoscaling is not configured' },
  configured: { status: 'True', reason: 'HPAReady', message: 'HorizontalPodAutoscaler is configured' },
});
