// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { TurnsOfUsers } from './turns-of-users.ts';

test('a user takes one turn after the other, and other users do not wait', async () => {
  const turns = new TurnsOfUsers();
  const taken: string[] = [];
  const take = async (user: string, name: string) => {
    const end = await turns.take(user);
    taken.push(name);
    return end;
  };
  const endFirst = await take('a', 'first');
  const [second, third] = [take('a', 'second'), take('a', 'third')];
  await take('b', 'other');
  await setImmediate();
  assert.deepEqual(taken, ['first', 'other']);
  endFirst();
  (await second)();
  (await third)();
  await take('a', 'fourth');
  assert.deepEqual(taken, ['first', 'other', 'second', 'third', 'fourth']);
});

test('a turn that is waited for is not forgotten when the one before it ends', async () => {
  const turns = new TurnsOfUsers();
  const endFirst = await turns.take('a');
  const second = turns.take('a');
  endFirst();
  const endSecond = await second;
  let isTaken = false;
  const third = turns.take('a').then(() => (isTaken = true));
  await setImmediate();
  assert.equal(isTaken, false);
  endSecond();
  assert.equal(await third, true);
});
