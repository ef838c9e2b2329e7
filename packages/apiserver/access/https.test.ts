// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { request } from 'node:https';
import { json } from 'node:stream/consumers';
import { after, before, describe, test } from 'node:test';
import { certificateAuthority } from '@forge/pki/certificate-authority.ts';
import type { KeyPair } from '@forge/pki/certificate.ts';
import { issueClientCertificate, issueServerCertificate } from '@forge/pki/issue-certificate.ts';
import { testServer, type TestServer } from '../test/test-server.ts';
import { serve, type ListeningServer } from '../wire/serve.ts';

interface Answer {
  status: { userInfo: { username: string; groups: string[]; extra?: Record<string, string[]> }; token: string };
  code?: number;
}

describe('authentication over HTTPS', () => {
  const validity = { now: Date.now(), validDays: 1 };
  let authority: KeyPair;
  let served: TestServer;
  let listening: ListeningServer;

  before(async () => {
    authority = certificateAuthority({ name: 'test', ...validity });
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    served = await testServer({
      tokens: { secret: { name: 'admin', groups: ['system:masters'] } },
      serviceAccounts: { signingKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString() },
    });
    const server = issueServerCertificate(authority, {
      names: ['localhost'],
      addresses: ['127.0.0.1'],
      ...validity,
    });
    listening = await serve(served.server, { port: 0, tls: { ...server, clientCa: authority.cert } });
  });
  after(async () => {
    await listening.close();
    await served.server.close();
  });

  function post(
    path: string,
    headers: Record<string, string | string[]>,
    shown: Partial<KeyPair> = {},
  ): Promise<Answer> {
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    const sent = request(
      {
        host: '127.0.0.1',
        port: listening.port,
        path,
        method: 'POST',
        ca: authority.cert,
        agent: false,
        headers,
        ...shown,
      },
      (response) => void json(response).then((body) => resolve(body as Answer), reject),
    );
    sent.once('error', reject);
    sent.end('{}');
    return promise;
  }

  const whoAmI = async (headers: Record<string, string | string[]>, shown?: Partial<KeyPair>) => {
    const all = { 'content-type': 'application/json', ...headers };
    return post('/apis/authentication.k8s.io/v1/selfsubjectreviews', all, shown);
  };

  test('accepts a client certificate', async () => {
    const jane = issueClientCertificate(authority, { user: 'jane', groups: ['readers', 'writers'], ...validity });
    const { username, groups, extra } = (await whoAmI({}, jane)).status.userInfo;
    assert.equal(username, 'jane');
    assert.deepEqual(groups, ['readers', 'writers', 'system:authenticated']);
    assert.match(extra?.['authentication.kubernetes.io/credential-id']?.[0] ?? '', /^X509SHA256=[0-9a-f]{64}$/);
  });

  test('rejects a client certificate of another CA', async () => {
    const other = certificateAuthority({ name: 'other', ...validity });
    const jane = issueClientCertificate(other, { user: 'jane', groups: ['system:masters'], ...validity });
    assert.equal((await whoAmI({}, jane)).code, 401);
    assert.equal((await whoAmI({})).code, 401);
  });

  test('accepts bearer tokens, also of ServiceAccounts', async () => {
    const admin = { authorization: 'Bearer secret', 'content-type': 'application/json' };
    assert.equal((await whoAmI(admin)).status.userInfo.username, 'admin');
    const { status } = await post('/api/v1/namespaces/default/serviceaccounts/default/token', admin);
    const { userInfo } = (await whoAmI({ authorization: `Bearer ${status.token}` })).status;
    assert.equal(userInfo.username, 'system:serviceaccount:default:default');
    assert.equal((await whoAmI({ authorization: `Bearer ${status.token}x` })).code, 401);
  });

  test('supports impersonation with repeated group headers', async () => {
    const groups = ['readers', 'writers, and others'];
    const headers = { authorization: 'Bearer secret', 'impersonate-user': 'jane', 'impersonate-group': groups };
    assert.deepEqual((await whoAmI(headers)).status.userInfo.groups, [...groups, 'system:authenticated']);
  });
});
