// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ValidatingWebhook } from '@forge/kube/generated/types.ts';
import {
  ConfigMap,
  EndpointSlice,
  MutatingWebhookConfiguration,
  Service,
  ValidatingWebhookConfiguration,
} from '@forge/kube/kinds/builtin.ts';
import { seconds } from '@forge/runtime/environment/duration.ts';
import { turnsOf } from '@forge/testing/turns-of.ts';
import type { WebhookCall } from '../webhooks/calls/call-webhook.ts';
import { configMap } from './objects.ts';
import { testServer } from './test-server.ts';

const ref = { name: 'a', namespace: 'default' };

function configuration(more: Partial<ValidatingWebhook> = {}): ValidatingWebhookConfiguration {
  return {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingWebhookConfiguration',
    metadata: { name: 'hooks' },
    webhooks: [
      {
        name: 'a.example.com',
        clientConfig: { url: 'https://example.com/hook' },
        rules: [{ operations: ['*'], apiGroups: ['*'], apiVersions: ['*'], resources: ['configmaps'] }],
        sideEffects: 'None',
        admissionReviewVersions: ['v1'],
        ...more,
      },
    ],
  };
}

/** A response that allows the request. */
function allowed({ body }: WebhookCall) {
  const { apiVersion, kind, request } = JSON.parse(body ?? '') as {
    apiVersion: string;
    kind: string;
    request: { uid: string };
  };
  const answer = { apiVersion, kind, response: { uid: request.uid, allowed: true } };
  return { status: 200, contentType: 'application/json', body: JSON.stringify(answer) };
}

/** A server whose webhooks respond on demand. */
async function serverWithWebhooks() {
  const calls: (WebhookCall & { answer: () => void })[] = [];
  const server = await testServer({
    callWebhook: (call) =>
      new Promise((resolve, reject) => {
        call.signal.addEventListener('abort', () => reject(new Error('too late')));
        calls.push({ ...call, answer: () => resolve(allowed(call)) });
      }),
  });
  return { ...server, calls };
}

/** A server with a mutating webhook that returns this patch. */
async function serverWithPatch(operations: readonly object[]) {
  const server = await testServer({
    async callWebhook(call) {
      const answer = allowed(call);
      const review = JSON.parse(answer.body) as { response: object };
      const patch = Buffer.from(JSON.stringify(operations)).toString('base64');
      const response = { ...review.response, patchType: 'JSONPatch', patch };
      return { ...answer, body: JSON.stringify({ ...review, response }) };
    },
  });
  const hooks = { ...configuration(), kind: 'MutatingWebhookConfiguration' } as const;
  await server.api.create(MutatingWebhookConfiguration, hooks);
  return server;
}

describe('a webhook', () => {
  test('times out by the clock of the server', async () => {
    const { api, calls, clock } = await serverWithWebhooks();
    await api.create(ValidatingWebhookConfiguration, configuration({ timeoutSeconds: 5 }));
    const refused = assert.rejects(api.create(ConfigMap, configMap('a')), /context deadline exceeded/);
    await clock.advance(seconds(4));
    assert.deepEqual(
      calls.map(({ path, signal }) => [path, signal.aborted]),
      [['/hook?timeout=5s', false]],
    );
    await clock.advance(seconds(1));
    await refused;
  });

  test('is called at a ready endpoint of its service', async () => {
    const { api, calls, clock } = await serverWithWebhooks();
    const service = { name: 'hook', namespace: 'default', path: '/validate' };
    await api.create(ValidatingWebhookConfiguration, configuration({ clientConfig: { service } }));
    await assert.rejects(api.create(ConfigMap, configMap('a')), /service "hook" not found/);
    await api.create(Service, {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'hook', namespace: 'default' },
      spec: { ports: [{ name: 'https', port: 443, targetPort: 9443 }] },
    });
    await assert.rejects(api.create(ConfigMap, configMap('a')), /no endpoints available for service "hook"/);
    await api.create(EndpointSlice, {
      apiVersion: 'discovery.k8s.io/v1',
      kind: 'EndpointSlice',
      metadata: { name: 'hook-1', namespace: 'default', labels: { 'kubernetes.io/service-name': 'hook' } },
      addressType: 'IPv4',
      ports: [{ name: 'https', port: 9443 }],
      endpoints: [
        { addresses: ['10.0.0.7'], conditions: { ready: false } },
        { addresses: ['10.0.0.8'], conditions: { ready: true } },
      ],
    });
    const created = api.create(ConfigMap, configMap('a'));
    await clock.settle();
    const [call] = calls;
    assert.deepEqual(call?.address, { host: '10.0.0.8', port: 9443 });
    assert.deepEqual([call.serverName, call.path], ['hook.default.svc', '/validate?timeout=10s']);
    call.answer();
    await created;
  });

  test('has the same patch limits as users', async () => {
    const copies = Array.from({ length: 64 }, (_, step) => ({ op: 'copy', from: '/data', path: `/data/${step}` }));
    const start = { op: 'add', path: '/data', value: { a: 'x'.repeat(1024) } };
    const copying = await serverWithPatch([start, ...copies]);
    await assert.rejects(
      copying.api.create(ConfigMap, configMap('a')),
      /accumulated size increase of copy is \d+, exceeding the limit 3145728/,
    );
    const add = { op: 'add', path: '/data', value: {} };
    const changing = await serverWithPatch(Array.from({ length: 10_001 }, () => add));
    await assert.rejects(
      changing.api.create(ConfigMap, configMap('a')),
      /allowed maximum operations in a JSON patch is 10000, got 10001/,
    );
  });

  test('fails when its response is nested too deeply', async () => {
    const deep = `{"response":{"allowed":true,"status":${'['.repeat(20_000)}${']'.repeat(20_000)}}}`;
    const { api } = await testServer({
      callWebhook: async () => ({ status: 200, contentType: 'application/json', body: deep }),
    });
    await api.create(ValidatingWebhookConfiguration, configuration());
    await assert.rejects(api.create(ConfigMap, configMap('a')), /failed calling webhook "a\.example\.com"/);
  });

  test('is called again when the object has changed in the meantime', async () => {
    const { api, calls, clock } = await serverWithWebhooks();
    await api.create(ConfigMap, configMap('a'));
    await api.create(ValidatingWebhookConfiguration, configuration());
    const writes = ['x', 'y'].map((key) => api.patch(ConfigMap, ref, 'merge', { data: { [key]: '1' } }));
    for (let index = 0; index < 3; index += 1) {
      await clock.settle();
      calls[index]?.answer();
    }
    await Promise.all(writes);
    assert.deepEqual((await api.get(ConfigMap, ref)).data, { x: '1', y: '1' });
  });

  test('is called for a deletion with the newest object', async () => {
    const { api, calls, clock } = await serverWithWebhooks();
    await api.create(ConfigMap, configMap('a'));
    const rules = [{ operations: ['DELETE'], apiGroups: ['*'], apiVersions: ['*'], resources: ['configmaps'] }];
    await api.create(ValidatingWebhookConfiguration, configuration({ rules }));
    const deleted = api.delete(ConfigMap, ref);
    await clock.settle();
    await api.patch(ConfigMap, ref, 'merge', { data: { color: 'red' } });
    calls[0]?.answer();
    await clock.settle();
    assert.match(calls[1]?.body ?? '', /"oldObject":.*"color":"red"/);
    calls[1]?.answer();
    await deleted;
    await assert.rejects(api.get(ConfigMap, ref), /not found/);
  });

  test('lets others be served while the conditions of many are evaluated', async () => {
    const { api } = await testServer();
    const ten = '[0,1,2,3,4,5,6,7,8,9]';
    const expensive = ['a', 'b', 'c', 'd', 'e'].reduce((body, name) => `${ten}.all(${name}, ${body})`, "'x' != 'y'");
    const matchConditions = [expensive, expensive, 'false'].map((expression, index) => ({
      name: `c${index}`,
      expression,
    }));
    const [webhook] = configuration().webhooks ?? [];
    const webhooks = ['a', 'b', 'c', 'd'].flatMap((name) =>
      webhook === undefined ? [] : [{ ...webhook, name: `${name}.example.com`, matchConditions }],
    );
    await api.create(ValidatingWebhookConfiguration, { ...configuration(), webhooks });
    await api.create(MutatingWebhookConfiguration, {
      ...configuration(),
      kind: 'MutatingWebhookConfiguration',
      webhooks,
    });
    const turns = await turnsOf(() => api.create(ConfigMap, configMap('a')));
    assert.ok(turns >= 6, `${turns} turns`);
  });

  test('is refused when its conditions are too long', async () => {
    const { api } = await testServer();
    const matchConditions = [{ name: 'a', expression: `true${' '.repeat(40_000)}` }];
    await assert.rejects(
      api.create(ValidatingWebhookConfiguration, configuration({ matchConditions })),
      /webhooks: Forbidden: too many characters of expressions: 40004, limit is 32768/,
    );
  });
});
