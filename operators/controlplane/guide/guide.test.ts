// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, test } from 'node:test';
import { engineConditions } from '@forge/runtime/contract/engine-rows.ts';
import { controlPlaneContract as contract, rotationContract } from '../contract.ts';

const rows = [...engineConditions(contract.ready), ...contract.conditions, ...rotationContract.conditions];

const page = (name: string) => readFile(new URL(name, import.meta.url), 'utf8');

describe('the guide', () => {
  test('explains every reason of a condition that is not True, and no other', async () => {
    const text = await page('troubleshoot.md');
    const reasons = new Set(rows.filter(({ status }) => status !== 'True').map(({ reason }) => reason));
    const explained = text.split('\n').flatMap((line) => {
      const [, cell = ''] = /^\| (`[^|]+`) +\|/.exec(line) ?? [];
      return [...cell.matchAll(/`([A-Za-z]+)`/g)].map(([, reason = '']) => reason);
    });
    assert.deepEqual([...new Set(explained)].toSorted(), [...reasons].toSorted());
  });

  test('lists every condition', async () => {
    const text = await page('first-control-plane.md');
    const types = [...new Set(contract.conditions.map(({ type }) => type))];
    assert.deepEqual(
      types.filter((type) => !text.includes(`\`${type}\``)),
      [],
    );
  });
});
