// SPDX-License-Identifier: Apache-2.0
import { conditionCases } from '@forge/runtime/conditions/cases.ts';
import { seconds } from '@forge/runtime/environment/duration.ts';

/** What is reported about a second ControlPlane in a namespace. */
export const duplicateReady = conditionCases('Ready', {
  parked: {
    status: 'False',
    reason: 'DuplicateControlPlane',
    message:
      'parked: ControlPlane "{incumbent}" is older and owns namespace "{namespace}"; only one ControlPlane is permitted per namespace',
    recheck: seconds(30),
  },
});

/** The texts of Ready of every other ControlPlane. */
export const readyTexts = {
  allReady: { reason: 'AllReady', message: 'All sub-conditions are ready' },
  notAllReady: { reason: 'NotAllReady', message: 'One or more sub-conditions are not ready' },
} as const;
