// SPDX-License-Identifier: Apache-2.0
import { conditionCases, eventCases } from '@forge/runtime/conditions/cases.ts';

/** Whether log records reach `kubectl logs`. */
export const loggingHealthyType = { type: 'LoggingHealthy', informational: true } as const;

/** What is reported about it. */
export const loggingHealthy = conditionCases(loggingHealthyType, {
  stderrDisabled: {
    status: 'False',
    reason: 'StderrDisabled',
    message: 'spec.extraConfig set [DEFAULT].use_stderr="{value}"; container logs will not reach kubectl logs',
  },
  stderrEnabled: {
    status: 'True',
    reason: 'StderrEnabled',
    message: '[DEFAULT].use_stderr is true; oslo.log records reach container stderr',
  },
});

/** Events about logging. */
export const loggingEvents = eventCases({
  stderrDisabled: {
    type: 'Warning',
    reason: 'LoggingStderrDisabled',
    message: 'spec.extraConfig overrode [DEFAULT].use_stderr to "{value}"; container logs will not reach kubectl logs',
  },
});
