// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { longestBlock } from '@forge/testing/longest-block.ts';
import { configMaps } from './attack.ts';
import type { Order, Reply } from './attacker.ts';
import { ground, startAttacker } from './ground.ts';

const watches = 2000;
const writes = 20;
const headers = { authorization: 'Bearer editor', 'content-type': 'application/json' };

const forms = {
  'as JSON': 'application/json',
  'as Tables': 'application/json;as=Table;v=v1;g=meta.k8s.io',
  'as metadata': 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io',
  'in protobuf': 'application/vnd.kubernetes.protobuf;stream=watch',
};

for (const [form, accept] of Object.entries(forms)) {
  test(
    `200 watches ${form} of an object that is as large as may be keep nobody waiting`,
    { timeout: 300_000 },
    async () => {
      await using attacked = await ground();
      const attacker = startAttacker();
      const workerData = {
        url: `${attacked.url}${configMaps}?watch=true&includeObject=Object&fieldSelector=metadata.name%3Dwatched`,
        count: 200,
        headers: { ...headers, accept },
      };
      const watchers = new Worker(new URL('watchers.ts', import.meta.url), { workerData });
      try {
        await once(watchers, 'message');
        const data = Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`a${index}`, 'a'.repeat(90)]));
        const order: Order = {
          url: `${attacked.url}${configMaps}`,
          method: 'POST',
          headers,
          body: JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'watched' }, data }),
          inBytes: false,
        };
        const block = await longestBlock(async () => {
          attacker.postMessage(order, []);
          const [{ status, text }] = (await once(attacker, 'message')) as [Reply];
          assert.equal(status, 201, text);
          const least = form === 'as metadata' ? 200 * 200 : 200 * 900_000;
          for (let received = 0; received < least;) {
            await sleep(100);
            watchers.postMessage('how much?', []);
            [received] = (await once(watchers, 'message')) as [number];
          }
        });
        assert.ok(block < 100, `blocks of ${block} ms: encode each event once (storage/encoded-events.ts)`);
      } finally {
        await Promise.all([attacker.terminate(), watchers.terminate()]);
      }
    },
  );
}

test('2,000 watches with 20 writes of 50 KB keep nobody waiting', { timeout: 300_000 }, async () => {
  await using attacked = await ground();
  const attacker = startAttacker();
  const workerData = {
    url: `${attacked.url}${configMaps}?watch=true&fieldSelector=metadata.name%3Dwatched`,
    count: watches,
    headers,
  };
  const watchers = new Worker(new URL('watchers.ts', import.meta.url), { workerData });
  try {
    const opening = await longestBlock(() => once(watchers, 'message'));
    const writing = await longestBlock(async () => {
      for (let index = 0; index < writes; index += 1) {
        const data = { a: String(index).padEnd(50_000, 'a') };
        const order: Order = {
          url: `${attacked.url}${configMaps}${index === 0 ? '' : '/watched'}`,
          method: index === 0 ? 'POST' : 'PUT',
          headers,
          body: JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'watched' }, data }),
          inBytes: false,
        };
        attacker.postMessage(order, []);
        const [{ status, text }] = (await once(attacker, 'message')) as [Reply];
        assert.ok(status < 300, text);
      }
      for (let received = 0; received < watches * writes * 50_000;) {
        await sleep(100);
        watchers.postMessage('received', []);
        [received] = (await once(watchers, 'message')) as [number];
      }
    });
    const remedy = 'write to fewer connections, or fewer bytes, per turn of the event loop (wire/batched-writer.ts)';
    assert.ok(
      opening < 100 && writing < 100,
      `blocked for ${opening} ms while opening, ${writing} ms while writing; the limit is 100 ms: ${remedy}`,
    );
  } finally {
    await Promise.all([attacker.terminate(), watchers.terminate()]);
  }
});
