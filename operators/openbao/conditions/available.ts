// SPDX-License-Identifier: Apache-2.0
import { conditionCases } from '@forge/runtime/conditions/cases.ts';

/** What is said of the pods. */
export const available = conditionCases('Available', {
  notStarted: {
    status: 'False',
    reason: 'NoReplicasReady',
    message: 'No pod is started: this version of the operator only writes ConfigMap {name}',
  },
  paused: { status: 'Unknown', reason: 'Paused', message: 'Nothing is changed while spec.paused is true' },
});
