// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Status } from '@forge/kube/errors/api-error.ts';
import { CustomResourceDefinition, ResourceClaim } from '@forge/kube/kinds/builtin.ts';
import { crdOf } from '@forge/kube/kinds/crd.ts';
import { encodeEnvelope } from '@forge/kube/protobuf/encode-envelope.ts';
import { Backup } from '../test/objects.ts';
import { testServer } from '../test/test-server.ts';

test('custom resources have no protobuf', async () => {
  const headers = { 'content-type': 'application/vnd.kubernetes.protobuf' };
  const { api, refused } = await testServer();
  await api.create(CustomResourceDefinition, crdOf(Backup));
  const backup = encodeEnvelope({ apiVersion: 'example.com/v1', kind: 'Backup', metadata: { name: 'a' } });
  const { code, message } = await refused('POST', '/apis/example.com/v1/namespaces/default/backups', backup, {
    headers,
  });
  assert.equal(code, 415);
  assert.match(message ?? '', /accepted media types include: application\/json, application\/yaml$/);
});

test('the limits of a body hold for the messages and the JSON of a protobuf body together', async () => {
  const headers = { 'content-type': 'application/vnd.kubernetes.protobuf' };
  const { server, api } = await testServer();
  const refusal = async (parameters: unknown[]): Promise<unknown[]> => {
    const config = parameters.map((each) => ({ opaque: { driver: 'a.example.com', parameters: each } }));
    const claim = { apiVersion: 'resource.k8s.io/v1', kind: 'ResourceClaim', spec: { devices: { config } } };
    const body = encodeEnvelope({ ...claim, metadata: { name: 'a' } });
    const path = '/apis/resource.k8s.io/v1/namespaces/default/resourceclaims';
    const user = { name: 'a', groups: ['system:masters'] };
    const response = await server.handle({ method: 'POST', path, query: {}, headers, body, user });
    return [response.status, 'payload' in response && (response.payload.value as Status).message];
  };
  assert.deepEqual(await refusal([nested(495)]), [400, 'the object is nested too deeply: limit is 500 levels']);
  const many = Array.from({ length: 6 }, () => ({ a: Array.from({ length: 18_000 }, () => 1) }));
  assert.deepEqual(await refusal(many), [413, 'Request entity too large: limit is 100000 fields and items']);
  assert.deepEqual((await api.list(ResourceClaim)).items, []);
});

function nested(levels: number): object {
  let object = {};
  for (let level = 1; level < levels; level += 1) object = { a: object };
  return object;
}
