// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, test } from 'node:test';
import { loginRecheck } from '@forge/openstack/remembered-logins.ts';
import type { ConditionCase } from '@forge/runtime/conditions/condition-catalog.ts';
import { engineConditions } from '@forge/runtime/conditions/engine-cases.ts';
import { minutes } from '@forge/runtime/environment/duration.ts';
import { parseDuration } from '@forge/runtime/environment/parse-duration.ts';
import { durationsOfPages, recheckRange } from '@forge/testing/guide-durations.ts';
import { controlPlaneConditions, rotationConditions } from '../conditions/condition-catalog.ts';
import { firstRepetition, longestPause } from '../objects/credential/credential-sync.ts';
import { adminPassword } from '../objects/external-secrets.ts';
import { stuckTimeout } from '../steps/admin-credential.ts';
import { shortestTerm, stallTimeout } from '../steps/korc/re-mint.ts';
import { terminalTimeout } from '../steps/korc/recreate-terminal.ts';
import { terminatingTimeout } from '../steps/korc/release-terminating.ts';
import { silenceTimeout, stallTimeout as teardownTimeout } from '../steps/teardown/teardown.ts';
import { controlPlaneFixture } from '../test/control-plane-fixture.ts';

const sorted = (reasons: readonly string[]) => [...new Set(reasons)].toSorted();

const unmetReasons = (cases: readonly ConditionCase[]) =>
  sorted(cases.filter(({ status }) => status !== 'True').map(({ reason }) => reason));

/** The reasons in the first column of the tables. */
const explainedIn = (text: string) =>
  sorted(
    text.split('\n').flatMap((line) => {
      const [, cell = ''] = /^\| (`[^|]+`) +\|/.exec(line) ?? [];
      return [...cell.matchAll(/`([A-Za-z]+)`/g)].map(([, reason = '']) => reason);
    }),
  );

const page = (name: string) => readFile(new URL(name, import.meta.url), 'utf8');

describe('the guide', () => {
  test('explains every reason of a condition that is not True, and no other', async () => {
    const [ofControlPlane = '', ofRotation = ''] = (await page('troubleshoot.md')).split('## A CredentialRotation');
    assert.deepEqual(
      explainedIn(ofControlPlane),
      unmetReasons([...engineConditions(controlPlaneConditions.ready), ...controlPlaneConditions.conditions]),
    );
    assert.deepEqual(explainedIn(ofRotation), unmetReasons(rotationConditions.conditions));
  });

  test('lists every condition', async () => {
    const text = await page('first-control-plane.md');
    const types = [...new Set(controlPlaneConditions.conditions.map(({ type }) => type))];
    assert.deepEqual(
      types.filter((type) => !text.includes(`\`${type}\``)),
      [],
    );
  });

  test('names the durations of the code', async () => {
    const { refreshInterval = '' } = adminPassword(controlPlaneFixture(), '').spec;
    const refresh = parseDuration(refreshInterval);
    // How long External Secrets trusts a store by default.
    const storeCheck = minutes(5);
    const [advised, reviewed] = [minutes(15), minutes(1)];
    assert.deepEqual(await durationsOfPages(new URL('.', import.meta.url)), {
      'monitor.md': [advised, reviewed],
      'rotate.md': [refresh, loginRecheck, shortestTerm, storeCheck, storeCheck],
      'tear-down.md': [silenceTimeout, teardownTimeout],
      'troubleshoot.md': [
        ...recheckRange(controlPlaneConditions.conditions),
        terminalTimeout,
        stallTimeout,
        firstRepetition,
        longestPause,
        stuckTimeout,
        terminatingTimeout,
        refresh,
        terminalTimeout,
      ],
    });
  });
});
