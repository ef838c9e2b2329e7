// SPDX-License-Identifier: Apache-2.0
import { conditionCases, eventCases } from '@forge/runtime/conditions/cases.ts';

/** What is reported about the purge of expired trusts. */
export const trustFlushReady = conditionCases('TrustFlushReady', {
  notRequired: {
    status: 'True',
    reason: 'TrustFlushNotRequired',
    message: 'Trust flush bypass: spec.trustFlush is nil (webhook did not default this object)',
  },
  configured: { status: 'True', reason: 'TrustFlushReady', message: 'Trust flush CronJob is configured' },
});

/** Events about the purge of expired trusts. */
export const trustFlushEvents = eventCases({
  bypass: {
    type: 'Warning',
    reason: 'TrustFlushBypass',
    message:
      'Trust flush legacy bypass: spec.trustFlush is nil (webhook defaulting did not run); existing CronJob deleted',
  },
});
