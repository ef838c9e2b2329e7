// SPDX-License-Identifier: Apache-2.0
import type { CatalogObserver } from '@forge/runtime/conditions/condition-catalog.ts';
import { minutes, seconds } from '@forge/runtime/environment/duration.ts';
import { createInstalled, setTag, tagOf, untilStart } from './releases.ts';
import { startKeystoneOperator, type KeystoneOperator } from './start-keystone-operator.ts';

/** A Keystone in an upgrade whose contract Job fails while `fails` is set. */
export async function failedContract(job: { fails: boolean }, observer: CatalogObserver): Promise<KeystoneOperator> {
  const operator = await startKeystoneOperator(
    (component, { spec }) => {
      if (component === 'api' && tagOf(spec) === '2026.1') return { terminationDelay: minutes(2) };
      return component === 'db-contract' && job.fails ? { exit: { code: 1, after: seconds(1) } } : {};
    },
    { observer },
  );
  await createInstalled(operator);
  await setTag(operator, '2026.1');
  await untilStart(operator, 'DatabaseReady', 'ContractFailed');
  return operator;
}
