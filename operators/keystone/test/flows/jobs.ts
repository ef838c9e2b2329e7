// SPDX-License-Identifier: Apache-2.0
import { test } from 'node:test';
import type { ContractObserver } from '@forge/runtime/contract/contract.ts';
import { seconds } from '@forge/runtime/time/duration.ts';
import { createKeystone, keystoneOperator } from '../keystone-operator.ts';

/** Jobs that fail. */
export function jobFlows(observer: ContractObserver): void {
  for (const [component, condition] of [
    ['db-sync', 'DatabaseReady'],
    ['schema-check', 'DatabaseReady'],
    ['bootstrap', 'BootstrapReady'],
  ] as const) {
    test(`covers a ${component} Job that fails`, async () => {
      await using operator = await keystoneOperator(
        (running) => (running === component ? { exit: { code: 1, after: seconds(1) } } : {}),
        { observer },
      );
      await createKeystone(operator);
      await operator.cluster.clock.until(async () => /job failed/.test((await operator.condition(condition)) ?? ''));
    });
  }
}
