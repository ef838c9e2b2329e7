// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, test } from 'node:test';
import type { ConditionCase } from '@forge/runtime/conditions/condition-catalog.ts';
import { engineConditions } from '@forge/runtime/conditions/engine-cases.ts';
import { controlPlaneConditions, rotationConditions } from '../conditions/condition-catalog.ts';

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
});
