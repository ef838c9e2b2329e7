// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { eventually } from '@forge/testing/programs/eventually.ts';
import { patience, type LiveOpenBao } from './live-openbao.ts';

/** Mounts a store for words, and stores one; resolves when every server has it. */
export async function storeCanary(bao: LiveOpenBao): Promise<void> {
  const leader = (await bao.get()).status?.activeLeader ?? assert.fail('nobody leads');
  const mount = { method: 'POST', path: 'sys/mounts/kv', body: { type: 'kv' }, token: await bao.rootToken() } as const;
  assert.equal((await bao.call(leader, mount)).status, 204);
  await eventually(
    'a word is stored',
    () =>
      bao.write('canary', 'sings', leader).then(
        () => true,
        () => false,
      ),
    patience,
  );
  await untilCanary(bao);
}

/** Waits until every server has the canary, and a word can be written through the Service. */
export async function untilCanary(bao: LiveOpenBao): Promise<void> {
  for (const { metadata } of await bao.pods()) {
    await eventually(
      `${metadata.name} has the canary`,
      () =>
        bao.read('canary', metadata.name).then(
          (word) => word === 'sings',
          () => false,
        ),
      patience,
    );
  }
  await eventually(
    'words can be written',
    () =>
      bao.write('again', 'yes').then(
        () => true,
        () => false,
      ),
    patience,
  );
}
