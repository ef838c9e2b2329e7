// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isApiError } from '@forge/kube/errors/api-error.ts';
import { CustomResourceDefinition } from '@forge/kube/kinds/builtin.ts';
import { crdOf } from '@forge/kube/kinds/crd.ts';
import { Backup } from './objects.ts';
import { testServer, type TestServer } from './test-server.ts';

const ref = { namespace: 'default', name: 'nightly' };
const path = '/apis/example.com/v1/namespaces/default/backups';

function backup(spec: Backup['spec']): Backup {
  return { apiVersion: 'example.com/v1', kind: 'Backup', metadata: { ...ref }, spec };
}

async function withBackups(): Promise<TestServer> {
  const running = await testServer();
  await running.api.create(CustomResourceDefinition, crdOf(Backup));
  return running;
}

test('a definition is served as soon as it is created', async () => {
  const { api, get } = await withBackups();
  const { status } = await api.get(CustomResourceDefinition, { name: 'backups.example.com' });
  assert.deepEqual(
    status?.conditions?.map(({ type, status: value }) => [type, value]),
    [
      ['NamesAccepted', 'True'],
      ['Established', 'True'],
    ],
  );
  assert.equal(status.acceptedNames?.plural, 'backups');
  const { body } = await get('/apis/example.com/v1');
  const names = (body as { resources: { name: string }[] }).resources.map(({ name }) => name);
  assert.deepEqual(names, ['backups', 'backups/status']);
});

test('watches of its objects end when it is deleted', async () => {
  const { api } = await withBackups();
  const watched = Array.fromAsync(api.watch(Backup, { resourceVersion: '0' }));
  await api.create(Backup, backup({ schedule: 'daily' }));
  await api.delete(CustomResourceDefinition, { name: 'backups.example.com' });
  assert.deepEqual(
    (await watched).map(({ type }) => type),
    ['ADDED', 'DELETED'],
  );
});

test('its objects are pruned, defaulted and validated by its schema', async () => {
  const { api, refused } = await withBackups();
  const created = await api.create(Backup, backup({ schedule: 'daily', colour: 'red' }));
  assert.deepEqual(created.spec, { schedule: 'daily', copies: 3 });
  assert.equal(created.metadata.generation, 1);
  const wrong = await refused('POST', path, { ...backup({ schedule: '', copies: 0 }), metadata: { name: 'other' } });
  assert.equal(wrong.code, 422);
  assert.match(wrong.message ?? '', /^Backup.example.com "other" is invalid: \[/);
  assert.match(
    wrong.message ?? '',
    /spec.copies: Invalid value: 0: spec.copies in body should be greater than or equal to 1/,
  );
});

test('its status is a subresource, and an update needs a resourceVersion', async () => {
  const { api, refused } = await withBackups();
  await api.create(Backup, backup({ schedule: 'daily' }));
  const status = { conditions: [{ type: 'Ready', status: 'True' }] };
  const observed = await api.patch(Backup, ref, 'merge', { status, spec: { copies: 9 } }, { subresource: 'status' });
  assert.deepEqual([observed.spec.copies, observed.status, observed.metadata.generation], [3, status, 1]);
  const { message } = await refused('PUT', `${path}/nightly`, backup({ schedule: 'weekly' }));
  assert.match(message ?? '', /metadata.resourceVersion: Invalid value: 0: must be specified for an update$/);
  const strategic = { headers: { 'content-type': 'application/strategic-merge-patch+json' } };
  assert.equal((await refused('PATCH', `${path}/nightly`, {}, strategic)).code, 415);
});

test('kubectl get shows its printer columns', async () => {
  const { api, get } = await withBackups();
  await api.create(Backup, backup({ schedule: 'daily' }));
  await api.patch(
    Backup,
    ref,
    'merge',
    {
      status: {
        conditions: [
          { type: 'Other', status: 'False' },
          { type: 'Ready', status: 'True' },
        ],
      },
    },
    { subresource: 'status' },
  );
  const { body } = await get(path, {}, { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json' });
  const { columnDefinitions, rows } = body as { columnDefinitions: { name: string }[]; rows: { cells: unknown[] }[] };
  assert.deepEqual(
    columnDefinitions.map(({ name }) => name),
    ['Name', 'Copies', 'Ready', 'Age'],
  );
  assert.deepEqual(rows[0]?.cells, ['nightly', 3, 'True', '0s']);
});

test('a deleted definition deletes its objects', async () => {
  const { api, clock } = await withBackups();
  await api.create(Backup, backup({ schedule: 'daily' }));
  await api.delete(CustomResourceDefinition, { name: 'backups.example.com' });
  await clock.settle();
  assert.equal(await api.find(CustomResourceDefinition, { name: 'backups.example.com' }), undefined);
  await assert.rejects(api.list(Backup), (error) => isApiError(error, 'NotFound'));
});

test('an invalid definition is rejected', async () => {
  const { refused } = await testServer();
  const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
  const good = crdOf(Backup);
  const misnamed = await refused('POST', definitions, { ...good, metadata: { name: 'other.example.com' } });
  assert.match(misnamed.message ?? '', /must be spec.names.plural\+"."\+spec.group/);
  const [version] = good.spec.versions;
  const versions = [{ ...version, additionalPrinterColumns: [{ name: 'X', type: 'string', jsonPath: '.a[?(' }] }];
  const unreadable = await refused('POST', definitions, { ...good, spec: { ...good.spec, versions } });
  assert.match(unreadable.message ?? '', /additionalPrinterColumns\[0\].JSONPath: Invalid value/);
});
