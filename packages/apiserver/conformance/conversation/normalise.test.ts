// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Exchange } from './exchange.ts';
import { normalise } from './normalise.ts';

const span = { began: Date.parse('2026-01-01T00:00:00.500Z'), ended: Date.parse('2026-01-01T00:00:02Z') };

function bodies(...answers: unknown[]): unknown[] {
  const exchanges: Exchange[] = answers.map((body) => ({ request: 'GET /', status: 200, body }));
  return normalise(exchanges, span).map(({ body }) => body);
}

const uid = '0b5c1f9e-1111-4222-8333-123456789abc';

describe('normalising', () => {
  test('keeps the order of resource versions, and references', () => {
    assert.deepEqual(
      bodies(
        { metadata: { name: 'b', uid, resourceVersion: '90' } },
        { metadata: { name: 'a', resourceVersion: '17', ownerReferences: [{ uid }] } },
        { message: `not ${uid}`, metadata: { resourceVersion: '0' } },
      ),
      [
        { metadata: { name: 'b', uid: '<uid-1>', resourceVersion: 'r2' } },
        { metadata: { name: 'a', resourceVersion: 'r1', ownerReferences: [{ uid: '<uid-1>' }] } },
        { message: 'not <uid-1>', metadata: { resourceVersion: '0' } },
      ],
    );
  });

  test('places the version of a list at the newest object version it covers', () => {
    const item = { metadata: { resourceVersion: '7' } };
    assert.deepEqual(
      bodies(
        item,
        { items: [], metadata: { resourceVersion: '5' } },
        { items: [], metadata: { resourceVersion: '9' } },
      ),
      [
        { metadata: { resourceVersion: 'r1' } },
        { items: [], metadata: { resourceVersion: 'r0' } },
        { items: [], metadata: { resourceVersion: 'r1' } },
      ],
    );
  });

  test('reads versions out of messages and continue tokens', () => {
    const token = Buffer.from('{"v":"meta.k8s.io/v1","rv":8,"start":"b"}').toString('base64url');
    assert.deepEqual(
      bodies(
        { metadata: { resourceVersion: '7' } },
        { items: [], metadata: { continue: token }, message: 'too old resource version: 3 (7), 7 are kept' },
      )[1],
      {
        items: [],
        metadata: { continue: '{"v":"meta.k8s.io/v1","rv":r1,"start":"b"}' },
        message: 'too old resource version: r0 (r1), 7 are kept',
      },
    );
  });

  test('replaces times of the conversation only', () => {
    assert.deepEqual(
      bodies({
        created: '2026-01-01T00:00:00Z',
        ends: '2026-01-01T01:00:00Z',
        micro: '2026-01-01T00:00:01.000000Z',
        before: '2025-12-31T23:59:59Z',
        text: 'at 2026-01-01T00:00:00Z',
      }),
      [
        {
          created: '<time>',
          ends: '<time>',
          micro: '<micro time>',
          before: '2025-12-31T23:59:59Z',
          text: 'at 2026-01-01T00:00:00Z',
        },
      ],
    );
  });

  test('replaces generated suffixes and allocated addresses and ports, but not requested ones', () => {
    assert.deepEqual(
      bodies({
        metadata: { generateName: 'made-', name: 'made-x7k2p' },
        spec: { clusterIP: '10.96.14.3', ports: [{ nodePort: 31_000 }, { nodePort: 30_001 }] },
        message: 'made-x7k2p has 10.96.14.3, wants 10.96.0.9',
      }),
      [
        {
          metadata: { generateName: 'made-', name: 'made-<suffix-1>' },
          spec: { clusterIP: '<address-1>', ports: [{ nodePort: '<port-1>' }, { nodePort: 30_001 }] },
          message: 'made-<suffix-1> has <address-1>, wants 10.96.0.9',
        },
      ],
    );
  });

  test('replaces the port and the CA of the webhooks', () => {
    assert.deepEqual(
      bodies({
        clientConfig: { url: 'https://127.0.0.1:40123/a', caBundle: 'x'.repeat(200), service: { port: 40_123 } },
        message: 'Post "https://hook.default.svc:40123/": dial tcp 127.0.0.1:1',
      }),
      [
        {
          clientConfig: { url: 'https://127.0.0.1:<port>/a', caBundle: '<authority>', service: { port: '<port>' } },
          message: 'Post "https://hook.default.svc:<port>/": dial tcp 127.0.0.1:1',
        },
      ],
    );
  });
});
