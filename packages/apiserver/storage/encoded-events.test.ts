// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { jsonPayload } from '../messages/payload.ts';
import { EncodedEvents } from './encoded-events.ts';
import { StoredObject } from './stored-object.ts';

function stored(revision: number, size: number): StoredObject {
  return new StoredObject(`things//${revision}`, revision, Buffer.alloc(size));
}

describe('encoded events', () => {
  test('are made once for each form and source', () => {
    const events = new EncodedEvents();
    const object = stored(1, 10);
    let made = 0;
    const make = () => jsonPayload((made += 1));
    const source = {};
    const first = events.of(object, 'ADDED', make);
    assert.equal(events.of(object, 'ADDED', make), first);
    events.of(object, 'ADDED Table', make, source);
    events.of(object, 'ADDED Table', make, source);
    assert.equal(made, 2);
    events.of(object, 'ADDED Table', make, {});
    assert.equal(made, 3);
  });

  test('of the oldest objects are forgotten when all together are too large', () => {
    const events = new EncodedEvents();
    let made = 0;
    const make = () => jsonPayload((made += 1));
    const objects = Array.from({ length: 40 }, (_, index) => stored(index, 1024 * 1024));
    for (const object of objects) events.of(object, 'ADDED', make);
    for (const object of objects.slice(-30)) events.of(object, 'ADDED', make);
    assert.equal(made, 40);
    events.of(objects[0] as StoredObject, 'ADDED', make);
    assert.equal(made, 41);
  });

  test('of a forgotten object take no room, in however many forms it was', () => {
    const events = new EncodedEvents();
    let made = 0;
    const make = () => jsonPayload((made += 1));
    const first = stored(1, 1024 * 1024);
    for (let form = 0; form < 20; form += 1) events.of(first, `form ${form}`, make);
    const objects = Array.from({ length: 40 }, (_, index) => stored(index + 2, 1024 * 1024));
    for (const object of objects) events.of(object, 'ADDED', make);
    for (const object of objects.slice(-30)) events.of(object, 'ADDED', make);
    assert.equal(made, 60);
  });
});
