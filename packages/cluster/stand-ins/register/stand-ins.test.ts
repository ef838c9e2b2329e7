// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { kindsOf, localStandIns, standInNames } from './stand-ins.ts';

test('no kind has two stand-ins', () => {
  const names = standInNames.flatMap(kindsOf).map(({ group, kind }) => `${kind}.${group}`);
  assert.deepEqual(names, [...new Set(names)]);
});

test('the local cluster runs all stand-ins but that of a Gateway controller', () => {
  assert.deepEqual(
    standInNames.filter((name) => !localStandIns.includes(name)),
    ['gateway'],
  );
});
