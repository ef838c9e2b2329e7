// SPDX-License-Identifier: Apache-2.0
import { conditionCases } from '@forge/runtime/conditions/cases.ts';

/** What is reported about the ConfigMap. */
export const configReady = conditionCases('ConfigReady', {
  noText: { status: 'False', reason: 'NoText', message: 'Set spec.text: there is nothing to write' },
  written: { status: 'True', reason: 'ConfigWritten', message: 'ConfigMap {name} is written' },
});
