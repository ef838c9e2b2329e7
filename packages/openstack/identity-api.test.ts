// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ApiRequest } from '@forge/kube/client/transport.ts';
import { virtualClock } from '@forge/runtime/environment/virtual-clock.ts';
import type { HttpRequest } from '@forge/runtime/http/http-client.ts';
import { HttpError, type HttpFailure } from '@forge/runtime/http/http-error.ts';
import { SecretValue } from '@forge/runtime/secrets/secret-value.ts';
import { identityApi } from './identity-api.ts';
import { serviceProxy } from './service-proxy.ts';

const service = { namespace: 'openstack', name: 'cp-keystone', port: 5000 };
const address = { url: 'http://cp-keystone.openstack.svc:5000/v3', service };
const byPassword = { password: new SecretValue('hunter2') };
const byCredential = { id: 'c1', secret: new SecretValue('value') };
const { signal } = new AbortController();
const clock = virtualClock();
const token = { token: { user: { id: 'u1' } } };

/** The responses of a Keystone by method and path; by default, `/auth/tokens` issues a token. */
type Answers = Readonly<Record<string, { status: number; body?: unknown }>>;

/** A Keystone that is reached directly, and the requests that it received. */
function keystone(answers: Answers = {}) {
  const sent: HttpRequest[] = [];
  const http = {
    async send(request: HttpRequest) {
      sent.push(request);
      const asked = `${request.method} ${new URL(request.url).pathname.replace('/v3', '')}`;
      const { status, body = token } = answers[asked] ?? { status: 201 };
      return { status, headers: { 'x-subject-token': 't0k' }, body: Buffer.from(JSON.stringify(body)) };
    },
  };
  return { api: identityApi({ http, clock }), sent };
}

/** A network that fails, by default because no name resolves. */
const failing = (failure: HttpFailure = { kind: 'not-resolvable', host: 'cp-keystone' }) => ({
  send: ({ method, url }: HttpRequest) => Promise.reject(new HttpError(method, url, failure)),
});

const list = 'GET /users/u1/application_credentials';

describe('the client of the identity API', () => {
  test('logs in as the bootstrapped administrator in its project, by password', async () => {
    const { api, sent } = keystone();
    assert.equal(await api.logIn(address, byPassword, signal), 'accepted');
    const domain = { name: 'Default' };
    assert.deepEqual(JSON.parse(sent[0]?.body as string), {
      auth: {
        identity: { methods: ['password'], password: { user: { name: 'admin', domain, password: 'hunter2' } } },
        scope: { project: { name: 'admin', domain } },
      },
    });
  });

  test('logs in by application credential, which has its own scope', async () => {
    const { api, sent } = keystone();
    assert.equal(await api.logIn(address, byCredential, signal), 'accepted');
    const application_credential = { id: 'c1', secret: 'value' };
    assert.deepEqual(JSON.parse(sent[0]?.body as string), {
      auth: { identity: { methods: ['application_credential'], application_credential } },
    });
  });

  for (const [status, result] of [
    [201, 'accepted'],
    [401, 'refused'],
    [404, 'refused'],
    [200, 'unavailable'],
    [429, 'unavailable'],
    [500, 'unavailable'],
    [503, 'unavailable'],
  ] as const) {
    test(`reports a login as ${result} when the response is ${status}`, async () => {
      const { api } = keystone({ 'POST /auth/tokens': { status } });
      assert.equal(await api.logIn(address, byCredential, signal), result);
    });
  }

  test('reports a login as unavailable when there is no response, and throws when its caller aborted it', async () => {
    const refused = { kind: 'connect-failed', host: 'cp-keystone', port: 5000 } as const;
    const api = identityApi({ http: failing(refused), clock });
    assert.equal(await api.logIn(address, byPassword, signal), 'unavailable');
    const ended = AbortSignal.abort(new Error('stopped'));
    await assert.rejects(api.logIn(address, byPassword, ended), /stopped/);
  });

  test('returns the user of the token, with their application credentials', async () => {
    const listed = [{ id: 'c1', name: 'openstack.cp.abc', secret: 'never' }];
    const { api, sent } = keystone({ [list]: { status: 200, body: { application_credentials: listed } } });
    const credentials = [{ id: 'c1', name: 'openstack.cp.abc' }];
    assert.deepEqual(await api.administrator(address, byPassword, signal), { id: 'u1', credentials });
    assert.equal(String(sent[1]?.headers?.['x-auth-token']), '[redacted]');
  });

  test('throws when they cannot be listed, and the error does not contain the password', async () => {
    const { api } = keystone({ [list]: { status: 503, body: { error: 'hunter2' } } });
    await assert.rejects(api.administrator(address, byPassword, signal), (error) => {
      assert.match(String(error), /GET \/users\/u1\/application_credentials: Keystone answered 503/);
      assert.doesNotMatch(String(error), /hunter2/);
      return true;
    });
    const refusing = keystone({ 'POST /auth/tokens': { status: 401 } }).api;
    await assert.rejects(refusing.administrator(address, byPassword, signal), /Keystone answered 401/);
  });

  for (const status of [204, 404]) {
    test(`revokes a credential and accepts ${status}`, async () => {
      const { api, sent } = keystone({ 'DELETE /users/u1/application_credentials/c1': { status } });
      await api.revoke(address, byPassword, 'c1', signal);
      assert.equal(sent[1]?.method, 'DELETE');
    });
  }

  test('throws when a credential cannot be revoked', async () => {
    const { api } = keystone({ 'DELETE /users/u1/application_credentials/c1': { status: 403 } });
    await assert.rejects(api.revoke(address, byPassword, 'c1', signal), /Keystone answered 403/);
  });

  test('sends requests and their token through the API server when the name of the Service does not resolve', async () => {
    const sent: ApiRequest[] = [];
    const transport = {
      async request(request: ApiRequest) {
        sent.push(request);
        if (request.method === 'DELETE') return { status: 204, body: '' };
        return { status: 201, body: token, headers: { 'x-subject-token': 't0k' } };
      },
      stream: () => Promise.reject(new Error('not streamed')),
    };
    const api = identityApi({ http: failing(), clock, proxy: serviceProxy(transport, clock) });
    await api.revoke(address, byPassword, 'c1', signal);
    const base = '/api/v1/namespaces/openstack/services/cp-keystone:5000/proxy/v3';
    assert.deepEqual(
      sent.map(({ method, path }) => `${method} ${path}`),
      [`POST ${base}/auth/tokens`, `DELETE ${base}/users/u1/application_credentials/c1`],
    );
    assert.equal(sent[1]?.headers?.['x-auth-token'], 't0k');
  });

  test('throws when the name of the Service does not resolve and there is no proxy', async () => {
    const api = identityApi({ http: failing(), clock });
    assert.equal(await api.logIn(address, byPassword, signal), 'unavailable');
  });
});
