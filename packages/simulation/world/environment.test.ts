// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { environment } from './environment.ts';

test('an environment created from another one starts with the same external state, and later changes are not shared', () => {
  const one = environment();
  const keystone = one.keystones.at('keystone');
  keystone.bootstrap({ password: 'first' });
  keystone.health = 'down';
  one.vault.write('kv-v2/a', { password: 'first' });
  const server = { namespace: 'a', name: 'b' };
  one.sql.server(server).databases.set('keystone', { characterSet: 'utf8', collate: 'utf8_general_ci' });

  const other = environment({ from: one });
  const copy = other.keystones.at('keystone');
  assert.equal(copy.health, 'up');
  assert.deepEqual([...copy.state.passwords.values()], ['first']);
  assert.notEqual(copy.state.newId(), [...keystone.state.resources.users.keys()].at(-1));
  assert.deepEqual(other.vault.read('kv-v2/a'), { password: 'first' });
  assert.ok(other.sql.server(server).databases.has('keystone'));

  copy.bootstrap({ password: 'second' });
  other.vault.write('kv-v2/a', { password: 'second' });
  other.sql.server(server).databases.clear();
  assert.deepEqual([...keystone.state.passwords.values()], ['first']);
  assert.deepEqual(one.vault.read('kv-v2/a'), { password: 'first' });
  assert.equal(one.sql.server(server).databases.size, 1);
});
