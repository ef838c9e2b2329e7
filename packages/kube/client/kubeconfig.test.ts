// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ReadFile } from './connection.ts';
import { inCluster } from './in-cluster.ts';
import { kubeconfig, readKubeconfig } from './kubeconfig.ts';
import { tokenFile } from './token-file.ts';

function files(texts: Record<string, string>): ReadFile {
  return async (path) => {
    const text = texts[path];
    if (text === undefined) throw Object.assign(new Error(`no ${path}`), { code: 'ENOENT' });
    return text;
  };
}

const read = (text: string, context?: string) =>
  readKubeconfig(['/home/me/config'], files({ '/home/me/config': text }), context);

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

test('certificates and tokens may be in files next to the kubeconfig', async () => {
  const text = kubeconfig({ name: 'forge', server: 'https://a' }).replace(
    '    user:\n',
    '    user:\n      client-certificate: pki/me.crt\n      client-key: /keys/me\n      tokenFile: token\n',
  );
  const readFile = files({ '/home/me/config': text, '/home/me/pki/me.crt': 'CERT', '/keys/me': 'KEY' });
  assert.deepEqual(await readKubeconfig(['/home/me/config'], readFile), {
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
    readKubeconfig(['/home/me'], failing),
    /^Error: kubeconfig \/home\/me cannot be read: EISDIR: illegal operation on a directory, read$/,
  );
  const text = kubeconfig({ name: 'forge', server: 'https://a' }).replace(
    '    user:\n',
    '    user:\n      client-certificate: pki\n',
  );
  await assert.rejects(
    read(text),
    /kubeconfig \/home\/me\/config: client-certificate \/home\/me\/pki cannot be read: no/,
  );
});

test('an error about a kubeconfig that cannot be parsed names the file, and does not quote it', async () => {
  const remedy = 'correct it, or create a new one with kubectl config';
  await assert.rejects(
    read('users:\n  - user: { token: s3cret: s3cret }\n'),
    new RegExp(`^Error: kubeconfig /home/me/config is not valid YAML at line 2, column \\d+; ${remedy}$`),
  );
  await assert.rejects(
    read('{"token": s3cret}'),
    new RegExp(`^Error: kubeconfig /home/me/config is not valid JSON; ${remedy}$`),
  );
});

const plain = kubeconfig({ name: 'forge', server: 'https://a' });
const withCluster = (line: string) => plain.replace('    cluster:\n', `    cluster:\n      ${line}\n`);
const withUser = (line: string) => plain.replace('    user:\n', `    user:\n      ${line}\n`);

const byOther = (field: string) =>
  `kubeconfig /home/me/config gets its credentials by ${field}, which is not supported; use a certificate or a token`;

describe('an unsupported field is refused by name', () => {
  const refused: [text: string, message: string | RegExp][] = [
    [withUser('exec: {}'), byOther('exec')],
    [withUser('auth-provider: { name: oidc }'), byOther('auth-provider')],
    [withUser('username: me'), byOther('username')],
    [withUser('password: secret'), byOther('password')],
    [withUser('as-user-extra: { scopes: [view] }'), /with as-user-extra, which is not supported/],
    [withUser('as-groups: [ops]'), /has as-uid or as-groups without as; name the user/],
    [withUser('as-groups: ops'), /as-groups is not a list of texts/],
    [withUser('token: 123456'), /config: token is not a text; correct it/],
    [withUser('client-key-data: S0VZ'), /has a client-key without a client-certificate; add it/],
    [withUser('client-certificate-data: "-----BEGIN CERTIFICATE-----"'), /client-certificate-data is not base64/],
    [
      withCluster('insecure-skip-tls-verify: true\n      certificate-authority-data: Q0E='),
      /has both insecure-skip-tls-verify and a certificate-authority, which contradict each other; remove one/,
    ],
    [
      withCluster('certificate-authority: ca.crt\n      certificate-authority-data: Q0E='),
      /has both certificate-authority and certificate-authority-data; remove one/,
    ],
    [withCluster('insecure-skip-tls-verify: "yes"'), /insecure-skip-tls-verify is not true or false/],
    [
      withCluster('proxy-url: socks5://me:s3cret@proxy:1080'),
      /proxy-url must be .* http:\/\/; socks5 is not supported$/,
    ],
    [withCluster('proxy-url: proxy:3128'), /proxy-url must be a URL that begins with https:\/\/ or http:\/\/$/],
    [plain.replace('https://a', 'localhost:6443'), /server must be a URL that begins with/],
    [plain.replace('      user: "forge"', '      user: "me"'), /has no user "me", which the context "forge" names/],
    [`${plain}\n`.replace(/contexts:[^]*/, 'contexts: forge'), /contexts is not a list/],
    ['- a', /is not a kubeconfig/],
  ];
  for (const [text, message] of refused) {
    test(String(message), async () => {
      await assert.rejects(read(text), { message });
    });
  }
});

const configOf = (server: string, user: string, context = '') =>
  plain
    .replace('https://a', server)
    .replace('    user:\n', `    user:\n      ${user}\n`)
    .replace('current-context: "forge"', `current-context: ${context}`);

test('of several kubeconfigs, the first entry of a name applies as a whole, and the first current context', async () => {
  const readFile = files({
    '/a/config': `users: [{ name: forge, user: { tokenFile: token } }]`,
    '/b/config': configOf('https://b', 'token: second', 'forge'),
    '/c/config': configOf('https://c', 'as: third', 'other').replaceAll('"forge"', '"other"'),
  });
  const paths = ['/a/config', '/missing', '/b/config', '/c/config'];
  assert.deepEqual(await readKubeconfig(paths, readFile), { server: 'https://b', tokenFile: '/a/token' });
  const other = { server: 'https://c', impersonate: { user: 'third' } };
  assert.deepEqual(await readKubeconfig(paths, readFile, 'other'), other);
  await assert.rejects(readKubeconfig(['/x', '/y'], readFile), /^Error: none of the kubeconfigs \/x, \/y exists$/);
  await assert.rejects(readKubeconfig(['/b/config', '/d'], failing), /kubeconfig \/b\/config cannot be read: EISDIR/);
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

test('a token file is read again after a minute, and the last token is kept when that fails', async () => {
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
