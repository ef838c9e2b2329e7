// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Pod, PriorityClass } from '@forge/kube/kinds/builtin.ts';
import { pod } from '../test/objects.ts';
import { testServer } from '../test/test-server.ts';

function priorityClass(name: string, value: number, globalDefault: boolean): PriorityClass {
  return { apiVersion: 'scheduling.k8s.io/v1', kind: 'PriorityClass', metadata: { name }, value, globalDefault };
}

test('pods without a priority class get the global default', async () => {
  const { api, refused } = await testServer();
  const plain = await api.create(Pod, pod('plain'));
  assert.deepEqual([plain.spec?.priorityClassName, plain.spec?.priority], [undefined, 0]);

  await api.create(PriorityClass, priorityClass('usual', 5, true));
  const usual = await api.create(Pod, pod('usual'));
  assert.deepEqual([usual.spec?.priorityClassName, usual.spec?.priority], ['usual', 5]);

  const collection = '/apis/scheduling.k8s.io/v1/priorityclasses';
  const { code, message } = await refused('POST', collection, priorityClass('other', 6, true));
  assert.deepEqual(
    [code, message],
    [
      403,
      'priorityclasses.scheduling.k8s.io "other" is forbidden: PriorityClass usual is already marked as default. Only one default can exist',
    ],
  );
  await api.create(PriorityClass, priorityClass('other', 6, false));
  const change = await refused('PUT', `${collection}/other`, priorityClass('other', 6, true));
  assert.match(change.message ?? '', /usual is already marked as default/);
  await api.patch(PriorityClass, { name: 'usual' }, 'merge', { description: 'the default may change' });
});
