// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, test } from 'node:test';
import { engineConditions } from '@forge/runtime/conditions/engine-cases.ts';
import { minutes } from '@forge/runtime/environment/duration.ts';
import { defaultRetry } from '@forge/runtime/jobs/run-job.ts';
import { durationsOfPages, recheckRange } from '@forge/testing/guide-durations.ts';
import { keystoneConditions } from '../conditions/condition-catalog.ts';
import { connectionRecycleTime } from '../objects/config/keystone-conf.ts';

const cases = [...engineConditions(), ...keystoneConditions.conditions];

const page = (name: string) => readFile(new URL(name, import.meta.url), 'utf8');

describe('the guide', () => {
  test('explains every reason of a condition that is not True', async () => {
    const text = await page('troubleshoot.md');
    const reasons = cases.filter(({ status }) => status !== 'True').map(({ reason }) => reason);
    assert.deepEqual(
      reasons.filter((reason) => !text.includes(`\`${reason}\``)),
      [],
    );
  });

  test('explains no reason that the operator does not give', async () => {
    const text = await page('troubleshoot.md');
    const reasons = cases.map(({ reason }) => reason);
    const explained = text.split('\n').flatMap((line) => {
      const [, cell = ''] = /^\| (`[^|]+`) +\|/.exec(line) ?? [];
      return [...cell.matchAll(/`([A-Za-z]+)`/g)].map(([, reason = '']) => reason);
    });
    assert.notEqual(explained.length, 0);
    assert.deepEqual(
      explained.filter((reason) => !reasons.includes(reason)),
      [],
    );
  });

  test('lists every condition', async () => {
    const text = await page('first-keystone.md');
    const types = [...new Set(keystoneConditions.conditions.map(({ type }) => type))];
    assert.deepEqual(
      types.filter((type) => !text.includes(`\`${type}\``)),
      [],
    );
  });

  test('names the durations of the code', async () => {
    // Of a Job or pod with a problem, until its rechecks have told the cause.
    const explained = minutes(1);
    // Defaults of External Secrets and of oslo.cache.
    const [refresh, expiry] = [minutes(60), minutes(10)];
    const [advised, reviewed] = [minutes(60), minutes(1)];
    assert.deepEqual(await durationsOfPages(new URL('.', import.meta.url)), {
      'configure.md': [connectionRecycleTime, explained],
      'keys.md': [refresh, expiry],
      'monitor.md': [advised, reviewed],
      'troubleshoot.md': [...recheckRange(cases), explained, defaultRetry],
      'upgrade.md': [explained, defaultRetry],
    });
  });
});
