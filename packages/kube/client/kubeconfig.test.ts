// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ReadFile } from './connection.ts';
import { inCluster } from './in-cluster.ts';
import { kubeconfig, readKubeconfig } from './kubeconfig.ts';
import { tokenFile } from './token-file.ts';

function files(texts: Record<string, string>): ReadFile {
  return async (path) => {
    const text = texts[path];
    if (text === undefined) throw new Error(`no ${path}`);
    return text;
  };
}

const read = (text: string, context?: string) =>
  readKubeconfig('/home/me/config', files({ '/home/me/config': text }), context);

test('a kubeconfig round-trips', async () => {
  const connections = [
    { server: 'https://127.0.0.1:6443', ca: 'CA\n', cert: 'CERT\n', key: 'KEY\n' },
    { server: 'https://host:1', token: 'a: "b"' },
  ];
  for (const connection of connections) {
    assert.deepEqual(await read(kubeconfig({ name: 'forge', ...connection })), connection);
  }
});

test('a kubeconfig without a usable context is an error with a remedy', async () => {
  await assert.rejects(read(''), /has no server for the context ""; choose one/);
  const text = kubeconfig({ name: 'forge', server: 'https://a' });
  await assert.rejects(read(text, 'other'), /config has no server for the context "other"/);
});

test('certificates and tokens may lie in files beside the kubeconfig', async () => {
  const text = kubeconfig({ name: 'forge', server: 'https://a' }).replace(
    '    user:\n',
    '    user:\n      client-certificate: pki/me.crt\n      client-key: /keys/me\n      tokenFile: token\n',
  );
  const readFile = files({ '/home/me/config': text, '/home/me/pki/me.crt': 'CERT', '/keys/me': 'KEY' });
  assert.deepEqual(await readKubeconfig('/home/me/config', readFile), {
    server: 'https://a',
    cert: 'CERT',
    key: 'KEY',
    tokenFile: '/home/me/token',
  });
});

const failing: ReadFile = async () => {
  throw new Error('EISDIR: illegal operation on a directory, read');
};

test('a file that cannot be read is named', async () => {
  await assert.rejects(
    readKubeconfig('/home/me', failing),
    /^Error: kubeconfig \/home\/me cannot be read: EISDIR: illegal operation on a directory, read$/,
  );
  const text = kubeconfig({ name: 'forge', server: 'https://a' }).replace(
    '    user:\n',
    '    user:\n      client-key: pki\n',
  );
  await assert.rejects(read(text), /kubeconfig \/home\/me\/config: client-key \/home\/me\/pki cannot be read: no/);
});

test('a kubeconfig that cannot be parsed is named, and nothing of it is quoted', async () => {
  const remedy = 'correct it, or write it anew with kubectl config';
  await assert.rejects(
    read('users:\n  - user: { token: s3cret: s3cret }\n'),
    new RegExp(`^Error: kubeconfig /home/me/config is not valid YAML at line 2, column \\d+; ${remedy}$`),
  );
  await assert.rejects(
    read('{"token": s3cret}'),
    new RegExp(`^Error: kubeconfig /home/me/config is not valid JSON; ${remedy}$`),
  );
});

test('exec credentials are rejected with a remedy', async () => {
  const text = kubeconfig({ name: 'forge', server: 'https://a' }).replace('    user:\n', '    user:\n      exec: {}\n');
  await assert.rejects(
    read(text),
    /gets its credentials by exec, which is not supported; use a certificate or a token/,
  );
});

test('a pod connects with its service account', async () => {
  const folder = '/var/run/secrets/kubernetes.io/serviceaccount';
  const readFile = files({ [`${folder}/ca.crt`]: 'CA' });
  const connection = { ca: 'CA', tokenFile: `${folder}/token` };
  assert.deepEqual(
    await inCluster({ KUBERNETES_SERVICE_HOST: '10.0.0.1', KUBERNETES_SERVICE_PORT: '6443' }, readFile),
    {
      server: 'https://10.0.0.1:6443',
      ...connection,
    },
  );
  assert.deepEqual(await inCluster({ KUBERNETES_SERVICE_HOST: 'fd00::1' }, readFile), {
    server: 'https://[fd00::1]:443',
    ...connection,
  });
  assert.equal(await inCluster({}, readFile), undefined);
});

test('a token file is read again after a minute, and a token that was read outlives a failed read', async () => {
  let now = 0;
  let content: string | undefined = 'first\n';
  const token = tokenFile(
    '/t',
    async () => {
      if (content === undefined) throw new Error('gone');
      return content;
    },
    () => now,
  );
  assert.equal(await token(), 'first');
  content = 'second';
  now = 59_999;
  assert.equal(await token(), 'first');
  now = 60_000;
  assert.equal(await token(), 'second');
  content = undefined;
  now = 200_000;
  assert.equal(await token(), 'second');
  await assert.rejects(tokenFile('/t', files({}), () => 0)(), /cannot read the token in \/t/);
});
