// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { describe, test } from 'node:test';
import { Node, ServiceAccount, type TokenRequest, type TokenReview } from '@forge/kube/kinds/builtin.ts';
import { minutes, seconds } from '@forge/runtime/environment/duration.ts';
import { testServer, type TestServer } from '../test/test-server.ts';

const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const signingKey = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();

async function serverWithRobot(): Promise<TestServer> {
  const served = await testServer({ serviceAccounts: { signingKey } });
  const metadata = { name: 'robot', namespace: 'default' };
  await served.api.create(ServiceAccount, { apiVersion: 'v1', kind: 'ServiceAccount', metadata });
  return served;
}

async function tokenOf({ transport }: TestServer, spec: object): Promise<string> {
  const path = '/api/v1/namespaces/default/serviceaccounts/robot/token';
  const { body } = await transport.request({ method: 'POST', path, body: { spec } });
  return (body as TokenRequest).status?.token ?? '';
}

async function review({ transport }: TestServer, token: string): Promise<TokenReview['status']> {
  const path = '/apis/authentication.k8s.io/v1/tokenreviews';
  const { body } = await transport.request({ method: 'POST', path, body: { spec: { token } } });
  return (body as TokenReview).status;
}

describe('a token of a service account', () => {
  test('expires by the clock of the server, with a minute of leeway', async () => {
    const served = await serverWithRobot();
    const token = await tokenOf(served, { expirationSeconds: 600 });
    await served.clock.advance(minutes(11));
    assert.equal((await review(served, token))?.authenticated, true);
    await served.clock.advance(seconds(1));
    assert.deepEqual(await review(served, token), {
      user: {},
      error: '[invalid bearer token, service account token has expired]',
    });
  });

  test('is invalid when its node was replaced', async () => {
    const served = await serverWithRobot();
    const ref = { name: 'a' };
    const node: Node = { apiVersion: 'v1', kind: 'Node', metadata: ref };
    await served.api.create(Node, node);
    const boundObjectRef = { apiVersion: 'v1', kind: 'Node', name: 'a' };
    const token = await tokenOf(served, { boundObjectRef });
    const before = await review(served, token);
    assert.deepEqual(before?.user?.extra?.['authentication.kubernetes.io/node-name'], ['a']);
    await served.api.delete(Node, ref);
    assert.match((await review(served, token))?.error ?? '', /token has been invalidated/);
    await served.api.create(Node, node);
    assert.match(
      (await review(served, token))?.error ?? '',
      /node UID .* does not match service account node ref claim/,
    );
  });

  test('stays valid across restarts with the same key', async () => {
    const first = await serverWithRobot();
    const token = await tokenOf(first, {});
    const second = await testServer({ serviceAccounts: { signingKey }, forkOf: first.server });
    assert.equal((await review(second, token))?.user?.username, 'system:serviceaccount:default:robot');
    const other = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
    const third = await testServer({
      serviceAccounts: { signingKey: other.export({ type: 'pkcs8', format: 'pem' }).toString() },
      forkOf: first.server,
    });
    assert.match((await review(third, token))?.error ?? '', /invalid signature/);
  });

  test('of a pod is extended to a year when it is automatically mounted', async () => {
    const served = await serverWithRobot();
    await served.transport.request({
      method: 'POST',
      path: '/api/v1/namespaces/default/pods',
      body: { metadata: { name: 'a' }, spec: { serviceAccountName: 'robot', containers: [{ name: 'a', image: 'a' }] } },
    });
    const boundObjectRef = { apiVersion: 'v1', kind: 'Pod', name: 'a' };
    const token = await tokenOf(served, { boundObjectRef, expirationSeconds: 3607 });
    await served.clock.advance(minutes(60 * 24 * 364));
    assert.equal((await review(served, token))?.authenticated, true);
  });

  test('is not issued without a signing key', async () => {
    const { transport } = await testServer();
    const path = '/api/v1/namespaces/default/serviceaccounts/default/token';
    assert.equal((await transport.request({ method: 'POST', path, body: {} })).status, 404);
  });
});
