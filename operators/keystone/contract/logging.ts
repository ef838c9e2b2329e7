// SPDX-License-Identifier: Apache-2.0
import { conditionRows, eventRows } from '@forge/runtime/contract/rows.ts';

/** Whether log records reach `kubectl logs`; Ready does not count it. */
export const loggingHealthy = conditionRows('LoggingHealthy', {
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
export const loggingEvents = eventRows({
  stderrDisabled: {
    type: 'Warning',
    reason: 'LoggingStderrDisabled',
    message: 'spec.extraConfig overrode [DEFAULT].use_stderr to "{value}"; container logs will not reach kubectl logs',
  },
});
