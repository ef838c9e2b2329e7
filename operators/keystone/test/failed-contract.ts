// SPDX-License-Identifier: Apache-2.0
import type { ContractObserver } from '@forge/runtime/contract/contract.ts';
import { minutes, seconds } from '@forge/runtime/time/duration.ts';
import { keystoneOperator, type KeystoneOperator } from './keystone-operator.ts';
import { createInstalled, setTag, tagOf, untilStart } from './releases.ts';

/** A Keystone whose upgrade has come to a contract Job that fails, as long as it does. */
export async function failedContract(job: { fails: boolean }, observer: ContractObserver): Promise<KeystoneOperator> {
  const operator = await keystoneOperator(
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
