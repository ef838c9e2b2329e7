// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Secret } from '@forge/kube/builtin.ts';
import { plannedWrite } from './planned-write.ts';

test('a planned write shows which keys of a Secret change, and no value of data or stringData', () => {
  const metadata = { namespace: 'default', name: 'keys' };
  const before: Secret = { apiVersion: 'v1', kind: 'Secret', metadata, data: { a: 'old' } };
  const created = plannedWrite('Keys', undefined, { ...before, stringData: { b: 'plain' } } as Secret);
  const changed = plannedWrite('Keys', before, { ...before, data: { a: 'new' }, stringData: { b: 'plain' } } as Secret);
  const text = JSON.stringify([created?.diff, changed?.diff]);
  assert.doesNotMatch(text, /old|new|plain/);
  assert.match(text, /"stringData":\{"b":"\[redacted\]"\}|"\/stringData","value":\{"b":"\[redacted\]"\}/);
});
