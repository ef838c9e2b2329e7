// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CustomResourceDefinition } from '@forge/kube/kinds/builtin.ts';
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
