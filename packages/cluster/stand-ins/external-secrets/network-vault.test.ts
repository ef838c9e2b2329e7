// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { text } from 'node:stream/consumers';
import { describe, test } from 'node:test';
import { apiServer } from '@forge/apiserver/api-server.ts';
import { inProcessTransport } from '@forge/apiserver/wire/in-process-transport.ts';
import { client, type Client } from '@forge/kube/client/client.ts';
import { Secret, ServiceAccount } from '@forge/kube/kinds/builtin.ts';
import type { ClusterSecretStore } from '@forge/kube/third-party/external-secrets.ts';
import { certificateAuthority } from '@forge/pki/certificate-authority.ts';
import { issueServerCertificate } from '@forge/pki/issue-certificate.ts';
import { systemClock as clock } from '@forge/runtime/environment/clock.ts';
import { systemRandom as random } from '@forge/runtime/environment/random.ts';
import { tcpDial } from '@forge/runtime/http/dial.ts';
import { httpServer, type LoopbackServer } from '@forge/testing/programs/loopback-server.ts';
import { secret } from '../test/secret-objects.ts';
import { networkVaults } from './network-vault.ts';

type Vault = NonNullable<ClusterSecretStore['spec']['provider']['vault']>;

/** The responses of the server by request, without `/v1/`. */
type Answers = Readonly<Record<string, [status: number, body: object]>>;

const validity = { now: clock.now(), validDays: 1 };
const authority = certificateAuthority({ ...validity, name: 'test' });
const login = {
  mountPath: 'kubernetes/management',
  role: 'eso',
  serviceAccountRef: { namespace: 'default', name: 'eso' },
};
const issued: Answers = { 'PUT auth/kubernetes/management/login': [200, { auth: { client_token: 'issued' } }] };

/** Runs with a server that has these responses, and records requests as `{token} {method} {path}`. */
async function withServer(
  answers: Answers,
  use: (server: LoopbackServer, kube: Client, requests: string[]) => Promise<void>,
): Promise<void> {
  const requests: string[] = [];
  const tls = issueServerCertificate(authority, { ...validity, names: ['localhost'], addresses: ['127.0.0.1'] });
  await using server = await httpServer(async (request, response) => {
    const asked = `${request.method} ${request.url?.replace('/v1/', '')}`;
    requests.push(`${String(request.headers['x-vault-token'] ?? '-')} ${asked}`);
    await text(request);
    const [status, body] = answers[asked] ?? [404, { errors: [] }];
    response.writeHead(status).end(status === 204 ? undefined : JSON.stringify(body));
  }, tls);
  const api = await apiServer({ clock, random, serviceAccounts: { signingKey: authority.key } });
  const kube = client(inProcessTransport(api));
  await kube.create(ServiceAccount, { apiVersion: 'v1', kind: 'ServiceAccount', metadata: login.serviceAccountRef });
  await kube.create(Secret, secret('tls', { 'ca.crt': authority.cert, token: 'static' }));
  await use(server, kube, requests);
  await api.close();
}

function connect(server: LoopbackServer, kube: Client, vault: Omit<Partial<Vault>, 'server'>) {
  const store: ClusterSecretStore = {
    apiVersion: 'external-secrets.io/v1',
    kind: 'ClusterSecretStore',
    metadata: { name: 'store' },
    spec: { provider: { vault: { ...vault, server: server.url } } },
  };
  return networkVaults({ client: kube, clock, dial: tcpDial() }).connect(store);
}

const caProvider = { type: 'Secret', namespace: 'default', name: 'tls', key: 'ca.crt' } as const;

describe('a server that a store names', () => {
  test('issues a token for a ServiceAccount, which is revoked at the end', async () => {
    const found = { data: { data: { a: 'b' }, metadata: { version: 1 } } };
    await withServer({ ...issued, 'GET kv/data/a': [200, found] }, async (server, kube, requests) => {
      const session = await connect(server, kube, { caProvider, auth: { kubernetes: login } });
      assert.deepEqual(await session.get('kv/data/a'), found.data);
      assert.equal(await session.get('kv/data/b'), undefined);
      await session.close();
      assert.deepEqual(requests, [
        '- PUT auth/kubernetes/management/login',
        'issued GET kv/data/a',
        'issued GET kv/data/b',
        'issued PUT auth/token/revoke-self',
      ]);
    });
  });

  test('accepts a static token from a Secret, which is not revoked', async () => {
    const caBundle = Buffer.from(authority.cert).toString('base64');
    const tokenSecretRef = { namespace: 'default', name: 'tls', key: 'token' };
    await withServer({ 'PUT kv/data/a': [204, {}] }, async (server, kube, requests) => {
      const session = await connect(server, kube, { caBundle, auth: { tokenSecretRef } });
      await session.put('kv/data/a', { data: {} });
      await session.close();
      assert.deepEqual(requests, ['static PUT kv/data/a']);
    });
  });

  test('that refuses a request has its error quoted in one line', async () => {
    const errors = ['1 error occurred:\n\t* permission denied\n\n'];
    await withServer({ ...issued, 'DELETE kv/data/a': [403, { errors }] }, async (server, kube) => {
      const session = await connect(server, kube, { caProvider, auth: { kubernetes: login } });
      await assert.rejects(session.delete('kv/data/a'), {
        message: 'DELETE kv/data/a: Code: 403. Errors: * 1 error occurred: * permission denied',
      });
    });
  });

  test('whose certificate is from another authority is not trusted', async () => {
    const other = certificateAuthority({ ...validity, name: 'other' });
    const caBundle = Buffer.from(other.cert).toString('base64');
    await withServer(issued, async (server, kube, requests) => {
      await assert.rejects(connect(server, kube, { caBundle, auth: { kubernetes: login } }), /TLS with server name/);
      assert.deepEqual(requests, []);
    });
  });

  test('has metadata but no content of a deleted version, and nothing at an unknown path', async () => {
    const deleted = { data: { data: null, metadata: { version: 4 } } };
    await withServer({ ...issued, 'GET kv/data/a': [404, deleted] }, async (server, kube) => {
      const session = await connect(server, kube, { caProvider, auth: { kubernetes: login } });
      assert.deepEqual(await session.get('kv/data/a'), deleted.data);
      assert.equal(await session.get('kv/data/b'), undefined);
    });
  });
});
