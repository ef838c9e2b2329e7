// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Job } from '@forge/kube/kinds/builtin.ts';
import { seconds } from '@forge/runtime/environment/duration.ts';
import { Keystone } from '../../api/keystone.ts';
import { createInstalled, jobOf, releases, setTag, tagOf, untilStart } from '../../test/releases.ts';
import { home, startKeystoneOperator } from '../../test/start-keystone-operator.ts';
import { hasStartedPods } from './expand-facts.ts';

for (const [expected, status] of [
  [false, undefined],
  [false, { active: 1 }],
  [false, { active: 1, ready: 0, terminating: 0 }],
  [true, { active: 1, ready: 1 }],
  [true, { succeeded: 1 }],
  [true, { failed: 1 }],
  [true, { terminating: 1 }],
  [true, { conditions: [{ type: 'Failed', status: 'True' }] }],
  [false, { conditions: [{ type: 'Suspended', status: 'False' }] }],
] as const) {
  test(`a Job with status ${JSON.stringify(status)} has ${expected ? '' : 'no '}pods that started`, () => {
    const job = { apiVersion: 'batch/v1', kind: 'Job', metadata: { name: 'expand' }, status };
    assert.equal(hasStartedPods(job as unknown as Job), expected);
  });
}

for (const [what, behavior, expanded] of [
  ['could not start', { stuck: 'cannot pull' }, undefined],
  ['ran and then could not be started again', { exit: { code: 1, after: seconds(1) } }, '2026.1'],
] as const) {
  test(`an expand Job that ${what} and makes room for another one is remembered as ${expanded}`, async () => {
    await using operator = await startKeystoneOperator((_, { spec }) => (tagOf(spec) === '2026.1' ? behavior : {}));
    await createInstalled(operator);
    const { client, clock } = operator.cluster;
    await setTag(operator, '2026.1');
    await untilStart(operator, 'DatabaseReady', 'stuck' in behavior ? 'ExpandInProgress' : 'ExpandFailed');
    const first = (await jobOf(operator, 'db-expand'))?.metadata.uid;
    await client.patch(Keystone, home, 'merge', { spec: { extraConfig: { DEFAULT: { debug: 'true' } } } });
    await clock.until(async () => (await jobOf(operator, 'db-expand'))?.metadata.uid !== first);
    assert.equal((await releases(operator))[3], expanded);
  });
}
