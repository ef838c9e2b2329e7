// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import type { SubjectAccessReview } from '@forge/kube/kinds/builtin.ts';
import { refusal } from '@forge/testing/refusal.ts';
import { testCluster, type TestCluster } from '@forge/testing/test-cluster.ts';
import { seconds } from '../environment/duration.ts';
import { metricsReader } from '../manifests/operator-roles.ts';
import { metricsAccess, type Authorize } from './metrics-access.ts';
import { createAccount, grantMetrics } from './test/scraper.ts';

const denied = { status: 403, text: 'Authorization denied for user system:serviceaccount:default:prometheus' };
const unauthorized = { status: 401, text: 'Unauthorized' };

describe('access to metrics', () => {
  let cluster: TestCluster;
  let authorize: Authorize;
  let token: string;

  beforeEach(async () => {
    cluster = await testCluster({ controllers: false });
    authorize = metricsAccess({ ...cluster, api: cluster.connection.client });
    token = await createAccount(cluster.client);
  });

  afterEach(() => cluster[Symbol.asyncDispose]());

  const ask = (authorization: string | undefined, method = 'GET', path = '/metrics') =>
    authorize({ method, path, authorization, signal: new AbortController().signal });

  test('needs a token that the API server knows', async () => {
    for (const header of [undefined, '', 'Bearer', 'Bearer ', 'Basic YTpi', 'Bearer nobody', `Bearer ${token}x`])
      assert.deepEqual(await ask(header), unauthorized, header);
  });

  test('needs the right to get the path, which the role for readers grants for /metrics alone', async () => {
    assert.deepEqual(await ask(`Bearer ${token}`), denied);
    await grantMetrics(cluster.client, metricsReader('paint'));
    await cluster.clock.advance(seconds(10));
    assert.equal(await ask(`bearer ${token}`), undefined);
    assert.deepEqual(await ask(`Bearer ${token}`, 'GET', '/debug'), denied);
    assert.deepEqual(await ask(`Bearer ${token}`, 'HEAD'), denied);
  });

  test('can be granted to a group of the caller', async () => {
    const group = { apiGroup: 'rbac.authorization.k8s.io', kind: 'Group', name: 'system:serviceaccounts:default' };
    await grantMetrics(cluster.client, metricsReader('paint'), group);
    assert.equal(await ask(`Bearer ${token}`), undefined);
  });

  test('is asked for with all that the token says about the caller, which authorizers may decide by', async () => {
    const bodies: unknown[] = [];
    cluster.connection.intercept = ({ body }) => void bodies.push(body);
    await ask(`Bearer ${token}`);
    const [, access] = bodies as [unknown, SubjectAccessReview];
    const { user, groups, uid, extra } = access.spec;
    assert.equal(user, 'system:serviceaccount:default:prometheus');
    assert.ok(groups?.includes('system:serviceaccounts:default'));
    assert.match(uid ?? '', /^[0-9a-f-]{36}$/);
    assert.deepEqual(Object.keys(extra ?? {}), ['authentication.kubernetes.io/credential-id']);
  });

  test('is reviewed once a minute, and refusals every ten seconds', async () => {
    await grantMetrics(cluster.client, metricsReader('paint'));
    const reviews = async (header: string, after: number) => {
      cluster.connection.requests.length = 0;
      await cluster.clock.advance(seconds(after));
      await ask(header);
      return cluster.connection.requests.length;
    };
    assert.equal(await reviews(`Bearer ${token}`, 0), 2);
    assert.equal(await reviews(`Bearer ${token}`, 59), 0);
    assert.equal(await reviews(`Bearer ${token}`, 1), 2);
    assert.equal(await reviews('Bearer nobody', 0), 1);
    assert.equal(await reviews('Bearer nobody', 9), 0);
    assert.equal(await reviews('Bearer nobody', 1), 1);
  });

  test('is refused with an error of its own while the API server cannot be asked, and asked again at once', async () => {
    await grantMetrics(cluster.client, metricsReader('paint'));
    cluster.connection.intercept = ({ path }) => {
      if (path.endsWith('/subjectaccessreviews')) throw refusal(403, 'Forbidden', 'no reviews');
    };
    assert.equal((await ask(`Bearer ${token}`))?.status, 500);
    assert.match(cluster.logged.at(-1)?.message ?? '', /cannot review who reads the metrics/);
    cluster.connection.intercept = () => undefined;
    assert.equal(await ask(`Bearer ${token}`), undefined);
  });

  test('keeps no token in a log', async () => {
    cluster.connection.intercept = () => {
      throw refusal(500, 'InternalError', 'no');
    };
    await ask(`Bearer ${token}`);
    assert.ok(cluster.logged.length > 0 && !JSON.stringify(cluster.logged).includes(token));
  });
});
