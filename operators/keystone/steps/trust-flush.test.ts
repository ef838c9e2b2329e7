// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { CronJob } from '@forge/kube/kinds/builtin.ts';
import { minutes } from '@forge/runtime/environment/duration.ts';
import type { LogEntry } from '@forge/runtime/observability/logger.ts';
import { Keystone } from '../api/keystone.ts';
import { allReady, createKeystone, home, startKeystoneOperator, namesIn } from '../test/start-keystone-operator.ts';

const name = { ...home, name: 'identity-trust-flush' };

describe('the purge of trusts', () => {
  test('is suspended where the user says so', async () => {
    await using operator = await startKeystoneOperator();
    const { client, clock } = operator.cluster;
    await createKeystone(operator);
    await operator.untilCondition('Ready', allReady);
    const { suspend, jobTemplate } = (await client.get(CronJob, name)).spec;
    assert.equal(suspend, false);
    assert.equal(jobTemplate.spec?.template.spec?.containers[0]?.image, 'c5c3/keystone:2025.2');
    await client.patch(Keystone, home, 'merge', { spec: { trustFlush: { suspend: true } } });
    await clock.settle();
    assert.equal((await client.get(CronJob, name)).spec.suspend, true);
    assert.equal(await operator.condition('TrustFlushReady'), '+TrustFlushReady: Trust flush CronJob is configured');
  });

  test('ends for a Keystone that no webhook defaulted, which is told once', async () => {
    const log: LogEntry[] = [];
    await using operator = await startKeystoneOperator(undefined, { write: (entry) => log.push(entry) });
    const { client, clock } = operator.cluster;
    await createKeystone(operator);
    await operator.untilCondition('Ready', allReady);
    await client.patch(Keystone, home, 'merge', { spec: { trustFlush: null } });
    await clock.advance(minutes(20));
    assert.equal(
      await operator.condition('TrustFlushReady'),
      '+TrustFlushNotRequired: Trust flush bypass: spec.trustFlush is nil (webhook did not default this object)',
    );
    assert.ok(!(await namesIn(operator, CronJob)).includes(name.name));
    assert.equal((await operator.events()).filter((reason) => reason === 'TrustFlushBypass').length, 1);
    assert.equal(log.filter(({ fields }) => fields['reason'] === 'webhook-bypass').length, 1);
  });
});
