// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { freshKeys, rotateKeys, type Keys } from '../../test/played-rotation.ts';
import { rejectionOf, timestampProblem } from './staged-keys.ts';

const production = freshKeys();
const rotated = rotateKeys(production);
const encoded = (text: string) => Buffer.from(text).toString('base64');
const key = (length: number) => encoded('A'.repeat(length));

/** Why these keys are rejected when they replace those of a valid rotation. */
const rejection = (change: Keys, max = 3) => rejectionOf({ ...rotated, ...change }, production, max);

describe('staged keys', () => {
  test('of a rotation of what is in production are taken', () => {
    assert.equal(rejection({}), undefined);
    assert.equal(rejectionOf(rotateKeys(production, 5), production, 5), undefined);
    assert.equal(rejectionOf(rotateKeys(production, 4), production, 3), undefined, 'one more is tolerated');
  });

  test('are rejected when there are too few or too many', () => {
    const { 0: _, ...two } = rotated;
    assert.equal(rejectionOf(two, production, 3), 'key count out of range: got 2, want [3, 4]');
    const five = { ...rotated, 8: key(44), 9: key(44) };
    assert.equal(rejectionOf(five, production, 3), 'key count out of range: got 5, want [3, 4]');
    assert.equal(rejectionOf({}, production, 5), 'key count out of range: got 0, want [3, 6]');
  });

  test('are rejected when one is no key', () => {
    assert.equal(rejection({ 0: key(43) }), 'invalid key format: key "0" length=43, want 44');
    assert.equal(rejection({ 0: key(44) }), 'invalid key format: key "0" decoded length=33, want 32');
    assert.equal(
      rejection({ 0: encoded(`${'!'.repeat(43)}=`) }),
      'invalid key format: key "0" base64 decode: illegal character',
    );
    assert.equal(rejection({ '0.tmp': rotated['0'] ?? '' }), 'invalid key format: key "0.tmp" is not an index');
    assert.equal(rejection({ '01': rotated['0'] ?? '' }), 'invalid key format: key "01" is not an index');
  });

  test('are rejected without the key that the next rotation promotes', () => {
    const { 0: next = '', ...rest } = rotated;
    assert.equal(rejectionOf({ ...rest, 1: next }, production, 3), 'invalid key format: key "0" is missing');
  });

  test('are rejected when two are alike', () => {
    assert.equal(rejection({ 2: rotated['0'] ?? '' }), 'duplicate keys detected: keys "0" and "2"');
  });

  test('are rejected when they were not made from what is in production', () => {
    const later = rotateKeys(rotated);
    const primary = "stale rotation: its primary key is not production's key 0";
    assert.equal(rejectionOf(rotated, later, 3), primary, 'of a Job that hung while others rotated');
    assert.equal(rejectionOf(later, production, 3), primary, 'rotated twice');
    assert.equal(rejectionOf(rotated, rotated, 3), primary, 'taken before');
    const other = freshKeys();
    assert.equal(rejection({ 2: other['2'] ?? '' }), "stale rotation: production's primary key is not among its keys");
  });
});

test('the time of a rotation is one in RFC 3339', () => {
  assert.equal(timestampProblem('2026-04-18T12:34:56Z'), undefined);
  assert.equal(timestampProblem('2026-04-18T12:34:56.5+02:00'), undefined);
  for (const text of ['', 'yesterday', '2026-04-18', '2026-13-18T12:34:56Z']) {
    assert.equal(timestampProblem(text), `cannot parse ${JSON.stringify(text)} as an RFC 3339 time`);
  }
});
