// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, test } from 'node:test';
import { certificateAuthority } from '@forge/pki/certificate-authority.ts';
import { issueServerCertificate } from '@forge/pki/issue-certificate.ts';
import { httpServer } from '@forge/testing/programs/loopback-server.ts';
import { seedCommand } from './seed-command.ts';

const options = { namespace: 'openstack', keystone: 'keystone', mount: 'kv-v2' };
const environment = { BAO_ADDR: 'https://127.0.0.1:1', BAO_TOKEN: 's.secret' };

describe('forge seed', () => {
  const refusals: [name: string, options: object, environment: object, message: RegExp][] = [
    ['both a Keystone and a ControlPlane', { controlPlane: 'cp' }, {}, /either --keystone or --control-plane/],
    ['a namespace in capitals', { namespace: 'OpenStack' }, {}, /^--namespace "OpenStack": a lowercase RFC 1123 label/],
    ['an empty namespace', { namespace: '' }, {}, /^--namespace "": .* Name the namespace of the resource\.$/],
    ['a namespace that leaves its path', { namespace: '../infra' }, {}, /^--namespace "\.\.\/infra": /],
    ['a Keystone that cannot exist', { keystone: 'key_stone' }, {}, /^--keystone "key_stone": .*at most 34 characters/],
    ['an empty Keystone', { keystone: '' }, {}, /^--keystone "": .* give the one of yours\.$/],
    [
      'a ControlPlane whose name is too long',
      { keystone: undefined, controlPlane: 'c'.repeat(26) },
      {},
      /^--control-plane "c{26}": metadata\.name must have at most 25 characters/,
    ],
    ['an empty mount', { mount: '' }, {}, /^--mount "": a mount is a path .* bao secrets list shows the mounts\.$/],
    ['a mount with a slash in front', { mount: '/kv-v2' }, {}, /^--mount "\/kv-v2": /],
    ['a mount that leaves its path', { mount: 'kv/../sys' }, {}, /^--mount "kv\/\.\.\/sys": /],
    ['no address', {}, { BAO_ADDR: undefined }, /--address or in \$BAO_ADDR/],
    ['an empty address', { address: '' }, {}, /--address or in \$BAO_ADDR/],
    ['an address without TLS', { address: 'http://bao.example.com:8200' }, {}, /^--address .* is not an https URL/],
    [
      'an address of the API',
      {},
      { BAO_ADDR: 'https://bao:8200/v1/' },
      /^\$BAO_ADDR "https:\/\/bao:8200…": .* the API/,
    ],
    ['no token', {}, { BAO_TOKEN: ' ' }, /\$BAO_TOKEN is not set: give a token/],
    ['a token with a space', {}, { BAO_TOKEN: 's.secret s.other' }, /^\$BAO_TOKEN holds more than a token: give/],
    [
      'a token file that is missing',
      { tokenFile: '/no/token' },
      {},
      /^--token-file "\/no\/token": it cannot be read: ENOENT/,
    ],
    ['an authority that is missing', { caFile: '/no/ca.crt' }, {}, /^--ca-file "\/no\/ca\.crt": it cannot be read/],
    [
      'an authority without a certificate',
      {},
      { BAO_CACERT: '/dev/null' },
      /^\$BAO_CACERT "\/dev\/null": .*no certificate/,
    ],
  ];
  for (const [name, more, variables, message] of refusals) {
    test(`rejects ${name} as a wrong command line`, async () => {
      const call = seedCommand({ ...options, ...more }, { ...environment, ...variables });
      await assert.rejects(call, (error: Error & { code: number }) => {
        assert.equal(error.code, 2);
        assert.match(error.message, message);
        assert.doesNotMatch(error.message, /s\.secret/);
        return true;
      });
    });
  }

  test('names the server that does not answer, and not the token', async () => {
    await assert.rejects(seedCommand(options, environment), (error: Error) => {
      assert.match(error.message, /cannot connect to 127\.0\.0\.1 port 1 .*check that it is running/);
      assert.doesNotMatch(error.message, /s\.secret/);
      return true;
    });
  });

  test('seeds the credentials of a ControlPlane at the paths that its operator reads, on the server of the environment', async (context) => {
    const folder = await mkdtemp(join(tmpdir(), 'forge-seed-'));
    context.after(() => rm(folder, { recursive: true }));
    const validity = { now: Date.now(), validDays: 1 };
    const authority = certificateAuthority({ ...validity, name: 'test' });
    const tls = issueServerCertificate(authority, { ...validity, names: ['localhost'], addresses: ['127.0.0.1'] });
    const [ca, token] = [join(folder, 'ca.crt'), join(folder, 'token')];
    await writeFile(ca, authority.cert);
    await writeFile(token, 's.file\n');
    const accounts: unknown[] = [];
    await using server = await httpServer(async (request, response) => {
      const body = await text(request);
      if (request.url?.endsWith('/db') === true && request.method === 'PUT' && request.url.includes('/data/')) {
        accounts.push(
          request.headers['x-vault-token'],
          (JSON.parse(body) as { data: { username: string } }).data.username,
        );
      }
      response
        .writeHead(request.method === 'GET' ? 404 : 204)
        .end(request.method === 'GET' ? '{"errors":[]}' : undefined);
    }, tls);
    const { keystone: _, ...rest } = options;
    const seeded = await seedCommand(
      { ...rest, controlPlane: 'cp', tokenFile: token },
      { ...environment, BAO_ADDR: server.url, BAO_CACERT: ca },
    );
    assert.deepEqual(seeded, [
      { path: 'kv-v2/openstack/keystone/openstack/cp/db', outcome: 'written' },
      { path: 'kv-v2/bootstrap/openstack/cp-keystone/admin', outcome: 'written' },
    ]);
    assert.deepEqual(accounts, ['s.file', 'cp-keystone']);
  });
});
