// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ControlPlane } from '../control-plane.ts';
import { teardownFinalizer } from '../names.ts';
import { controlPlaneFixture } from '../test/control-plane-fixture.ts';
import { incumbentOf } from './duplicate.ts';

const early = '2026-01-01T00:00:00Z';
const late = '2026-01-01T00:00:01Z';

/** A ControlPlane of this name and age, with or without the finalizer. */
function peer(name: string, creationTimestamp: string, finalizers: string[] = []): ControlPlane {
  const { metadata, ...rest } = controlPlaneFixture();
  return { ...rest, metadata: { ...metadata, name, uid: name, creationTimestamp, finalizers } };
}

const incumbent = (...peers: readonly ControlPlane[]) => incumbentOf(peers)?.metadata.name;

describe('the ControlPlane that owns a namespace', () => {
  test('is the oldest', () => {
    assert.equal(incumbent(peer('a', late), peer('b', early)), 'b');
    assert.equal(incumbent(), undefined);
  });

  test('is the first by name of the same second', () => {
    assert.equal(incumbent(peer('b', early), peer('a', early)), 'a');
  });

  test('is the one that holds the finalizer, whatever its age: it has children', () => {
    assert.equal(incumbent(peer('a', early), peer('b', late, [teardownFinalizer])), 'b');
    assert.equal(incumbent(peer('a', early, ['other']), peer('b', early, [teardownFinalizer])), 'b');
  });
});
