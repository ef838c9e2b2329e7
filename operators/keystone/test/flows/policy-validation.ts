// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CatalogObserver } from '@forge/runtime/conditions/condition-catalog.ts';
import { minutes, seconds } from '@forge/runtime/environment/duration.ts';
import { prometheusMetrics } from '@forge/runtime/observability/prometheus-metrics.ts';
import { countedErrors } from '@forge/testing/counted-errors.ts';
import { Keystone } from '../../api/keystone.ts';
import { createInstalled, jobOf } from '../releases.ts';
import { allReady, home, startKeystoneOperator, type KeystoneOperator } from '../start-keystone-operator.ts';

const policyOverrides = { rules: { 'identity:list_users': 'role:reader' } };

const setSpec = ({ cluster: { client } }: KeystoneOperator, spec: object) =>
  client.patch(Keystone, home, 'merge', { spec });

/** Policy overrides, good and bad. */
export function policyValidationFlows(observer: CatalogObserver): void {
  test('good policy overrides are checked once, and the Job goes with them', async () => {
    await using operator = await startKeystoneOperator(undefined, { observer });
    await createInstalled(operator);
    await setSpec(operator, { policyOverrides });
    const passed = '+PolicyValidationPassed: Policy validation completed successfully';
    await operator.untilCondition('PolicyValidReady', passed);
    await operator.untilCondition('Ready', allReady);
    await operator.cluster.clock.advance(minutes(7));
    assert.deepEqual(
      [await jobOf(operator, 'policy-validation'), await operator.condition('PolicyValidReady')],
      [undefined, passed],
    );

    await setSpec(operator, { policyOverrides: { rules: { 'identity:list_users': 'role:admin' } } });
    await operator.cluster.clock.until(async () => (await jobOf(operator, 'policy-validation')) !== undefined);
    await operator.untilCondition('Ready', allReady);
    await setSpec(operator, { policyOverrides: null });
    await operator.untilCondition('PolicyValidReady', '+NotRequired: No policy overrides configured');
    await operator.cluster.clock.settle();
    assert.equal(await jobOf(operator, 'policy-validation'), undefined);
    assert.equal((await operator.keystone()).status?.completedPolicyValidation, undefined);
  });

  for (const [what, message, text] of [
    [
      'with what the validator says',
      'Failed to parse rule: role:admin or (',
      'Policy validation failed: Failed to parse rule: role:admin or (',
    ],
    ['cut where that is long', 'x'.repeat(600), `Policy validation failed: ${'x'.repeat(500)}...`],
    [
      'with a hint where it says nothing',
      undefined,
      'Policy validation failed; check Job identity-policy-validation logs: kubectl logs -n openstack job/identity-policy-validation',
    ],
  ] as const) {
    test(`bad policy overrides never reach running pods: ${what}`, async () => {
      const metrics = prometheusMetrics();
      await using operator = await startKeystoneOperator(
        (component) =>
          component === 'validator' ? { exit: { code: 1, after: seconds(1), ...(message && { message }) } } : {},
        { observer, metrics },
      );
      await createInstalled(operator);
      const template = async () => JSON.stringify((await operator.deployment()).spec?.template);
      const before = await template();
      await setSpec(operator, { policyOverrides });
      await operator.untilCondition('PolicyValidReady', `PolicyValidationFailed: ${text}`);
      assert.equal(await template(), before);
      assert.deepEqual(countedErrors(await metrics.text()), ['PolicyValidation PolicyValidReady']);
      await setSpec(operator, { policyOverrides: null });
      await operator.untilCondition('Ready', allReady);
    });
  }
}
