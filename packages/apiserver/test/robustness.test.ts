// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { builtinKinds, Deployment, Pod } from '@forge/kube/kinds/builtin.ts';
import { collectionPath } from '@forge/kube/kinds/kind.ts';
import type { Schema } from '@forge/kube/schema/schema.ts';
import fc from 'fast-check';
import { deployment, pod } from './objects.ts';
import { testServer } from './test-server.ts';

const anything = fc.oneof(fc.constant(null), fc.boolean(), fc.integer(), fc.string(), fc.constant([]), fc.constant({}));

/** Objects of a schema with an error in one of eight fields. */
function almost(schema: Schema, depth: number): fc.Arbitrary<unknown> {
  const right = (): fc.Arbitrary<unknown> => {
    const { type, properties, items, enum: choices } = schema;
    if (choices !== undefined) return fc.constantFrom(...choices);
    if (type === 'array' && depth > 0) return fc.array(almost(items ?? {}, depth - 1), { maxLength: 2 });
    if (type === 'object' && properties !== undefined && depth > 0) {
      const fields = Object.entries(properties).map(([name, child]) => [name, almost(child, depth - 1)] as const);
      return fc.record(Object.fromEntries(fields), { requiredKeys: [...(schema.required ?? [])] });
    }
    if (type === 'integer' || type === 'number') return fc.integer({ min: -1, max: 70_000 });
    if (type === 'boolean') return fc.boolean();
    return type === 'object' ? fc.constant({}) : fc.constantFrom('', 'a', 'A b', '10.0.0.1');
  };
  return fc.oneof({ weight: 7, arbitrary: right() }, { weight: 1, arbitrary: anything });
}

test('no invalid object of any kind causes an internal error', async () => {
  const { transport } = await testServer();
  for (const kind of builtinKinds) {
    const path = collectionPath(kind, 'default');
    await fc.assert(
      fc.asyncProperty(almost(kind.schema, 5), fc.nat(3), async (content, name) => {
        const metadata = { name: `x${name}` };
        const body = { ...(content as object), apiVersion: kind.apiVersion, kind: kind.kind, metadata };
        const created = await transport.request({ method: 'POST', path, body });
        const updated = await transport.request({ method: 'PUT', path: `${path}/x${name}`, body });
        for (const { status, body: answer } of [created, updated]) {
          assert.ok(status < 500, `${kind.kind}: ${JSON.stringify(answer)}`);
        }
        await transport.request({
          method: 'GET',
          path,
          headers: { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' },
        });
      }),
      { numRuns: 20 },
    );
  }
});

test('no invalid body sent to any path of an object causes an internal error', async () => {
  const { api, transport } = await testServer();
  await api.create(Deployment, deployment('a'));
  await api.create(Pod, pod('a'));
  const paths = [
    '/apis/apps/v1/namespaces/default/deployments/a',
    '/apis/apps/v1/namespaces/default/deployments/a/scale',
  ];
  const types = ['json-patch+json', 'merge-patch+json', 'strategic-merge-patch+json', 'apply-patch+yaml'];
  const attempts = [
    ...paths.flatMap((path) => types.map((type) => ({ method: 'PATCH' as const, path, type }))),
    ...paths.map((path) => ({ method: 'PUT' as const, path, type: 'json' })),
    { method: 'POST' as const, path: '/api/v1/namespaces/default/pods/a/binding', type: 'json' },
    { method: 'DELETE' as const, path: '/api/v1/namespaces/default/pods/a', type: 'json' },
  ];
  const part = fc.record({ metadata: anything, spec: anything, status: anything }, { requiredKeys: [] });
  for (const { method, path, type } of attempts) {
    await fc.assert(
      fc.asyncProperty(fc.oneof(anything, part, fc.array(part)), async (body) => {
        const headers = { 'content-type': `application/${type}` };
        const { status, body: answer } = await transport.request({
          method,
          path,
          headers,
          body,
          query: { fieldManager: 'me' },
        });
        assert.ok(status < 500, `${method} ${path} ${type}: ${JSON.stringify(body)}: ${JSON.stringify(answer)}`);
      }),
      { numRuns: 30 },
    );
  }
});
