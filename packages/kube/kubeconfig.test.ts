// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { kubeconfig, readKubeconfig } from './kubeconfig.ts';

test('what we write is what we read', async () => {
  const connections = [
    { server: 'https://127.0.0.1:6443', ca: 'CA\n', cert: 'CERT\n', key: 'KEY\n' },
    { server: 'https://host:1', token: 'a: "b"' },
  ];
  for (const connection of connections) {
    assert.deepEqual(await readKubeconfig(kubeconfig({ name: 'forge', ...connection })), connection);
  }
});

test('a kubeconfig without a usable context says what to do', async () => {
  await assert.rejects(readKubeconfig(''), /names no server for its current context ""; choose one/);
  await assert.rejects(
    readKubeconfig(
      kubeconfig({ name: 'forge', server: 'https://a' }).replace('current-context: "forge"', 'current-context: other'),
    ),
    /current context "other"/,
  );
});

test('a kubeconfig that keeps certificates in files is refused with the way out', async () => {
  const text = kubeconfig({ name: 'forge', server: 'https://a' }).replace(
    '    user:\n',
    '    user:\n      client-key: /home/me/key\n',
  );
  await assert.rejects(readKubeconfig(text), /keeps its client-key in a file; embed it/);
});
