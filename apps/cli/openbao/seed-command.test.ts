// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, test } from 'node:test';
import { certificateAuthority } from '@forge/pki/certificate-authority.ts';
import { issueServerCertificate } from '@forge/pki/issue-certificate.ts';
import { httpServer } from '@forge/runtime/test/loopback-server.ts';
import { seedCommand } from './seed-command.ts';

const options = { namespace: 'openstack', keystone: 'keystone', mount: 'kv-v2' };
const environment = { BAO_ADDR: 'https://127.0.0.1:1', BAO_TOKEN: 's.secret' };

describe('forge seed', () => {
  const refusals: [name: string, options: object, environment: object, message: RegExp][] = [
    ['both a Keystone and a ControlPlane', { controlPlane: 'cp' }, {}, /either --keystone or --control-plane/],
    ['no address', {}, { BAO_ADDR: undefined }, /--address or in \$BAO_ADDR/],
    ['an address without TLS', { address: 'http://bao.example.com:8200' }, {}, /is not an https URL/],
    ['no token', {}, { BAO_TOKEN: ' ' }, /\$BAO_TOKEN is not set: give a token/],
  ];
  for (const [name, more, variables, message] of refusals) {
    test(`rejects ${name} as a wrong command line`, async () => {
      const call = seedCommand({ ...options, ...more }, { ...environment, ...variables });
      await assert.rejects(call, { code: 2, message });
    });
  }

  test('names the server that does not answer, and not the token', async () => {
    await assert.rejects(seedCommand(options, environment), (error: Error) => {
      assert.match(error.message, /cannot connect to 127\.0\.0\.1 port 1 .*check that it is running/);
      assert.doesNotMatch(error.message, /s\.secret/);
      return true;
    });
  });

  test('seeds the credentials of a ControlPlane where its operator looks for them, at the server of the environment', async (context) => {
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
