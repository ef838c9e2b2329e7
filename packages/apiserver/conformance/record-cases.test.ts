// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { recordCases } from './record-cases.ts';
import { embeddedWire } from './wires/embedded-wire.ts';

test('nothing is recorded from another version of Kubernetes', async () => {
  const wire = await embeddedWire();
  await assert.rejects(recordCases(wire, '', assert.fail), /cases are recorded from v[\d.]+ only/);
  await wire.close();
});
