// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { Agent, request } from 'node:https';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { connect, type TLSSocket } from 'node:tls';
import { invalidValue } from '@forge/kube/errors/field-error.ts';
import { certificateAuthority } from '@forge/pki/certificate-authority.ts';
import type { KeyPair } from '@forge/pki/certificate.ts';
import { issueServerCertificate } from '@forge/pki/issue-certificate.ts';
import { testCluster, type TestCluster } from '@forge/testing/test-cluster.ts';
import { sharedCache, type SharedCache } from '../cache/cache.ts';
import { prometheusMetrics, type PrometheusMetrics } from '../observability/prometheus-metrics.ts';
import { Site } from '../test/site.ts';
import type { AdmissionRequest, AdmissionReview } from './admission-review.ts';
import { answerReview } from './answer-review.ts';
import { serveWebhooks, type WebhookServer } from './serve-webhooks.ts';
import { webhook, type Webhook } from './webhook.ts';

const rules = webhook(Site, {
  default: (site) => ({ ...site, spec: { text: 'hello', ...site.spec } }),
  validate: (site, before, { user }) => ({
    errors: [
      ...(site.spec.text === 'bad' ? [invalidValue('spec.text', 'bad', 'say something nice')] : []),
      ...(before !== undefined && before.spec.secret !== site.spec.secret
        ? [invalidValue('spec.secret', site.spec.secret, 'field is immutable')]
        : []),
    ],
    warnings: user.username === 'eve' ? ['we see you'] : [],
  }),
});

const site = (spec: Site['spec']): Site => ({
  apiVersion: 'test.forge.c5c3.io/v1',
  kind: 'Site',
  metadata: { name: 'home', namespace: 'default' },
  spec,
});

const validatePath = '/validate-test-forge-c5c3-io-v1-site';
const mutatePath = '/mutate-test-forge-c5c3-io-v1-site';

describe('a webhook server', () => {
  const authority = certificateAuthority({ name: 'test', now: Date.now(), validDays: 1 });
  const issue = () =>
    issueServerCertificate(authority, { names: ['localhost'], addresses: [], now: Date.now(), validDays: 1 });
  let certificate: KeyPair;
  let renewed: () => void;
  let cluster: TestCluster;
  let cache: SharedCache;
  let server: WebhookServer;
  let metrics: PrometheusMetrics;

  beforeEach(async () => {
    cluster = await testCluster({ controllers: false });
    cache = sharedCache({ ...cluster, client: cluster.connection.client, fieldManagers: new Set() });
    metrics = prometheusMetrics();
    certificate = issue();
    server = await serve(rules);
  });

  const serve = (served: Webhook): Promise<WebhookServer> =>
    serveWebhooks({
      address: { host: '127.0.0.1', port: 0 },
      webhooks: [served],
      certificate: { current: () => certificate, onChange: (changed) => (renewed = changed) },
      ...cluster,
      client: cluster.connection.client,
      cache,
      metrics,
    });

  afterEach(async () => {
    await server[Symbol.asyncDispose]();
    await cluster[Symbol.asyncDispose]();
  });

  async function post(path: string, body: string): Promise<{ status: number; text: string; serial: string }> {
    const sent = request({
      host: 'localhost',
      port: server.port,
      path,
      method: 'POST',
      ca: authority.cert,
      agent: false,
    });
    sent.end(body);
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    const text = Buffer.concat(await response.toArray()).toString();
    const socket = response.socket as TLSSocket;
    return { status: response.statusCode ?? 0, text, serial: socket.getPeerCertificate().serialNumber };
  }

  async function ask(
    path: string,
    asked: Partial<AdmissionRequest>,
  ): Promise<NonNullable<AdmissionReview['response']>> {
    const full = { uid: 'u1', operation: 'CREATE', name: 'home', userInfo: { username: 'ann' }, ...asked };
    const body = { apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', request: full };
    const { text } = await post(path, JSON.stringify(body));
    const { response } = JSON.parse(text) as AdmissionReview;
    assert.ok(response);
    return response;
  }

  test('responds with a patch of the defaults, and with none when nothing is missing', async () => {
    const { patch = '', ...rest } = await ask(mutatePath, { object: site({}) });
    assert.deepEqual(rest, { uid: 'u1', allowed: true, patchType: 'JSONPatch' });
    assert.deepEqual(JSON.parse(Buffer.from(patch, 'base64').toString()), [
      { op: 'add', path: '/spec/text', value: 'hello' },
    ]);
    assert.deepEqual(await ask(mutatePath, { object: site({ text: 'a' }) }), { uid: 'u1', allowed: true });
  });

  test('refuses as an internal error what could not be validated', async () => {
    const failing = webhook(Site, { validate: () => ({ failure: 'listing Sites: timeout', warnings: ['slow'] }) });
    const asked: AdmissionRequest = { uid: 'u1', operation: 'CREATE', userInfo: {}, object: site({ text: 'a' }) };
    const context = { client: cluster.connection.client, cache, signal: new AbortController().signal };
    const { allowed, status, warnings } = await answerReview(failing, 'validate', asked, context);
    assert.deepEqual([allowed, warnings], [false, ['slow']]);
    assert.deepEqual(
      [status?.code, status?.reason, status?.message],
      [500, 'InternalError', 'Internal error occurred: listing Sites: timeout'],
    );
  });

  test('accepts defaults set in place, and treats undefined as missing', async () => {
    const filling = webhook(Site, {
      default(found) {
        found.metadata.labels = { tidy: 'yes' };
        return Object.assign(found, { spec: { ...found.spec, text: undefined } });
      },
    });
    const asked: AdmissionRequest = { uid: 'u1', operation: 'CREATE', userInfo: {}, object: site({ text: 'a' }) };
    const context = { client: cluster.connection.client, cache, signal: new AbortController().signal };
    const { patch = '' } = await answerReview(filling, 'mutate', asked, context);
    assert.deepEqual(JSON.parse(Buffer.from(patch, 'base64').toString()), [
      { op: 'add', path: '/metadata/labels', value: { tidy: 'yes' } },
      { op: 'remove', path: '/spec/text' },
    ]);
  });

  test('reports every invalid field, as the API server does', async () => {
    const oldObject = site({ secret: 'a' });
    const refused = await ask(validatePath, {
      operation: 'UPDATE',
      object: site({ text: 'bad', secret: 'b' }),
      oldObject,
    });
    assert.equal(refused.allowed, false);
    assert.equal(
      refused.status?.message,
      'Site.test.forge.c5c3.io "home" is invalid: [spec.text: Invalid value: "bad": say something nice, ' +
        'spec.secret: Invalid value: "b": field is immutable]',
    );
    assert.deepEqual([refused.status.code, refused.status.reason], [422, 'Invalid']);
    assert.equal(refused.status.details?.causes?.length, 2);
  });

  test('warns, and allows valid and terminating objects', async () => {
    const passed = await ask(validatePath, { object: site({}), userInfo: { username: 'eve' } });
    assert.deepEqual(passed, { uid: 'u1', allowed: true, warnings: ['we see you'] });
    const deleted = await ask(validatePath, { operation: 'DELETE', object: null, oldObject: site({ text: 'bad' }) });
    assert.deepEqual(deleted, { uid: 'u1', allowed: true });
    const object = site({ text: 'bad' });
    const oldObject = { ...object, metadata: { ...object.metadata, finalizers: ['a/b'] } };
    const released = await ask(validatePath, { operation: 'UPDATE', object, oldObject });
    assert.deepEqual(released, { uid: 'u1', allowed: true });
    const changed = { ...oldObject, metadata: { ...oldObject.metadata, labels: { a: 'b' } } };
    assert.equal((await ask(validatePath, { operation: 'UPDATE', object, oldObject: changed })).allowed, false);
    const going = { ...changed, metadata: { ...changed.metadata, deletionTimestamp: '2026-01-01T00:00:00Z' } };
    assert.equal((await ask(validatePath, { operation: 'UPDATE', object, oldObject: going })).allowed, true);
  });

  test('rejects what is not an AdmissionReview, and logs what a webhook throws', async () => {
    assert.equal((await post('/elsewhere', '{}')).status, 404);
    assert.equal((await post(validatePath, 'nonsense')).status, 400);
    assert.equal(
      (await post(validatePath, '{"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1beta1"}')).status,
      400,
    );
    const broken = {
      apiVersion: 'admission.k8s.io/v1',
      kind: 'AdmissionReview',
      request: { object: {}, userInfo: {} },
    };
    assert.equal((await post(validatePath, JSON.stringify(broken))).status, 500);
    assert.equal(cluster.logged[0]?.message, 'webhook failed');
  });

  test('rejects a body of more than 8 MiB', async () => {
    const review = { apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview' };
    const asked = { uid: 'u1', operation: 'CREATE', userInfo: {}, object: site({ text: 'x'.repeat(8 * 1024 * 1024) }) };
    assert.equal((await post(validatePath, JSON.stringify({ ...review, request: asked }))).status, 400);
  });

  test('completes requests in progress at shutdown, and does not wait for idle connections', async () => {
    const [received, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<object>()];
    const validate = () => {
      received.resolve();
      return gate.promise;
    };
    await server[Symbol.asyncDispose]();
    server = await serve(webhook(Site, { validate }));
    const idle = connect({ host: 'localhost', port: server.port, ca: authority.cert });
    await once(idle, 'secureConnect');
    const asked = ask(validatePath, { object: site({}) });
    await received.promise;
    const ended = server[Symbol.asyncDispose]();
    gate.resolve({});
    assert.equal((await asked).allowed, true);
    await ended;
    idle.destroy();
  });

  test('keeps idle connections longer than an API server does', async () => {
    const agent = new Agent({ keepAlive: true });
    const sent = request({ host: 'localhost', port: server.port, ca: authority.cert, agent }).end();
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    assert.equal(response.resume().headers['keep-alive'], 'timeout=120');
    agent.destroy();
  });

  test('measures its own paths, and no others', async () => {
    await post('/', '');
    await post(validatePath, 'no review');
    await ask(mutatePath, { object: site({}) });
    await server[Symbol.asyncDispose]();
    const lines = (await metrics.text()).split('\n').filter((line) => /_(total|count|in_flight)\{/.test(line));
    assert.deepEqual(lines, [
      `controller_runtime_webhook_requests_in_flight{webhook="${mutatePath}"} 0`,
      `controller_runtime_webhook_requests_in_flight{webhook="${validatePath}"} 0`,
      `controller_runtime_webhook_requests_total{webhook="${mutatePath}",code="200"} 1`,
      `controller_runtime_webhook_requests_total{webhook="${mutatePath}",code="500"} 0`,
      `controller_runtime_webhook_requests_total{webhook="${validatePath}",code="200"} 0`,
      `controller_runtime_webhook_requests_total{webhook="${validatePath}",code="500"} 0`,
      `controller_runtime_webhook_requests_total{webhook="${validatePath}",code="400"} 1`,
      `controller_runtime_webhook_latency_seconds_count{webhook="${validatePath}"} 1`,
      `controller_runtime_webhook_latency_seconds_count{webhook="${mutatePath}"} 1`,
    ]);
  });

  test('presents a new certificate to the next caller', async () => {
    const { serial } = await post('/', '');
    certificate = issue();
    renewed();
    assert.notEqual((await post('/', '')).serial, serial);
  });

  test('keeps its certificate when the new one is invalid, and logs that', async () => {
    const { serial } = await post('/', '');
    certificate = { ...certificate, cert: 'scribbled over' };
    renewed();
    assert.equal((await post('/', '')).serial, serial);
    assert.equal(cluster.logged[0]?.message, 'cannot use the new serving certificate; keeping the last one');
  });
});
