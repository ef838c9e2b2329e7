// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { seconds } from '@forge/runtime/environment/duration.ts';
import { Keystone } from '../api/keystone.ts';
import { allReady, createKeystone, home, startKeystoneOperator } from '../test/start-keystone-operator.ts';

const enabled = '+StderrEnabled: [DEFAULT].use_stderr is true; oslo.log records reach container stderr';

describe('logging', () => {
  test('that leaves standard error is shown and told once per value, and does not make a Keystone less ready', async () => {
    await using operator = await startKeystoneOperator();
    const { client, clock } = operator.cluster;
    await createKeystone(operator);
    await operator.untilCondition('Ready', allReady);
    assert.equal(await operator.condition('LoggingHealthy'), enabled);

    const setStderr = async (value: string | null) => {
      await client.patch(Keystone, home, 'merge', { spec: { extraConfig: { DEFAULT: { use_stderr: value } } } });
      // More changes than the queue admits at once.
      await clock.advance(seconds(5));
    };
    const observed = async () =>
      (await operator.events()).filter((reason) => reason === 'LoggingStderrDisabled').length;
    await setStderr('False');
    assert.equal(
      await operator.condition('LoggingHealthy'),
      'StderrDisabled: spec.extraConfig set [DEFAULT].use_stderr="False"; container logs will not reach kubectl logs',
    );
    assert.equal(await observed(), 1);
    await operator.untilCondition('Ready', allReady);
    for (const value of ['True', 'yes', '1', 'ON', null]) {
      await setStderr(value);
      assert.equal(await operator.condition('LoggingHealthy'), enabled, String(value));
    }
    assert.equal(await observed(), 1);
  });
});
