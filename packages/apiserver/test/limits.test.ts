// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Status } from '@forge/kube/errors/api-error.ts';
import { MutatingWebhookConfiguration } from '@forge/kube/kinds/builtin.ts';
import type { User } from '../messages/server-request.ts';
import type { CallWebhook } from '../webhooks/calls/call-webhook.ts';
import { configMaps, manager, things } from './heartbeat/attack.ts';
import { crds } from './heartbeat/crds.ts';
import { copiesOf, deepCopies, deepValues, fields } from './heartbeat/hostile-patches.ts';
import { configMap } from './objects.ts';
import { testServer } from './test-server.ts';

const user: User = { name: 'admin', groups: ['system:masters', 'system:authenticated'] };
const thing = { apiVersion: 'example.com/v1', kind: 'Thing', metadata: { name: 'a', namespace: 'default' } };
const json = 'application/json-patch+json';
const merge = 'application/merge-patch+json';

const copies = (count: number) => copiesOf(fields(19_000), count);

/** A server with a ConfigMap and a custom resource, and a client that sends bytes, as over the network. */
async function remote(callWebhook?: CallWebhook) {
  const { server, api } = await testServer(callWebhook === undefined ? {} : { callWebhook });
  async function send(method: string, path: string, body: unknown, type = 'application/json') {
    const bytes = Buffer.from(JSON.stringify(body));
    const headers = { 'content-type': type, 'content-length': String(bytes.length) };
    const answer = await server.handle({ method, path, query: {}, headers, user, body: bytes });
    assert.ok('payload' in answer);
    return [answer.status, (answer.payload.value as Status).message] as const;
  }
  const [crd] = crds;
  await send('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', crd);
  async function list(labelSelector: string, headers: Readonly<Record<string, string>> = {}) {
    const answer = await server.handle({
      method: 'GET',
      path: configMaps,
      query: { labelSelector },
      headers,
      user,
    });
    assert.ok('payload' in answer);
    return [answer.status, (answer.payload.value as Status).message] as const;
  }
  return { api, send, list };
}

const labels = (count: number) => Array.from({ length: count }, (_, index) => `a${index}`).join();

/** A selector of so many labels. */
const wanted = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`a${index}`, 'a']));

/** A requirement with so many values. */
const anyOf = (count: number) => [
  { key: 'a', operator: 'In', values: Array.from({ length: count }, (_, index) => `a${index}`) },
];

/** A ConfigMap whose fields have many managers. */
function managed(managers: number): object {
  const managedFields = Array.from({ length: managers }, (_, index) => manager(index));
  return { ...configMap('a'), metadata: { name: `a${managers}`, managedFields } };
}

/** The answer to a ConfigMap or custom resource that a webhook patches. */
async function patchedBy(operations: readonly unknown[], isCustom: boolean) {
  const { api, send } = await remote(async ({ body = '' }) => {
    const { uid } = (JSON.parse(body) as { request: { uid: string } }).request;
    const patch = Buffer.from(JSON.stringify(operations)).toString('base64');
    const response = { uid, allowed: true, patchType: 'JSONPatch', patch };
    return { status: 200, contentType: 'application/json', body: JSON.stringify({ response }) };
  });
  await api.create(MutatingWebhookConfiguration, {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'MutatingWebhookConfiguration',
    metadata: { name: 'hooks' },
    webhooks: [
      {
        name: 'a.example.com',
        clientConfig: { url: 'https://example.com/hook' },
        rules: [{ operations: ['*'], apiGroups: ['*'], apiVersions: ['*'], resources: ['configmaps', 'things'] }],
        sideEffects: 'None',
        admissionReviewVersions: ['v1'],
      },
    ],
  });
  return isCustom ? send('POST', things, thing) : send('POST', configMaps, configMap('a'));
}

/** What the client gets when a webhook's patch is refused. */
const refused = (why: string) => [500, `Internal error occurred: ${why}`];

describe('a request is refused by an error that names the limit', () => {
  const values = 'Request entity too large: limit is 100000 fields and items';
  const members = 'Request entity too large: limit is 20000 fields of an object or items of a list';
  const depth = 'the object is nested too deeply: limit is 500 levels';

  test('when a patch makes an object of too many values, members, levels or characters', async () => {
    const { send } = await remote();
    assert.deepEqual(await send('POST', things, thing), [201, undefined]);
    const patched = (patch: unknown, type: string) => send('PATCH', `${things}/a`, patch, type);
    assert.deepEqual(await patched(copies(4), json), [200, undefined]);
    assert.deepEqual(await patched({ spec: { free: { c: fields(19_000) } } }, merge), [413, values]);
    assert.deepEqual(await patched({ spec: { free: { a: { more: fields(19_000) } } } }, merge), [413, values]);
    const more = Object.fromEntries(Array.from({ length: 1001 }, (_, index) => [`b${index}`, 1]));
    assert.deepEqual(await patched({ spec: { free: { a: more } } }, merge), [413, members]);
    assert.deepEqual(await patched(copies(6), json), [413, values]);
    assert.deepEqual(await patched(deepValues(), json), [400, depth]);
    assert.deepEqual(await patched(deepCopies(), json), [400, depth]);
    for (const free of [{ c: 'c'.repeat(1.5 * 1024 * 1024) }, { ['c'.repeat(1.5 * 1024 * 1024)]: 'c' }]) {
      assert.deepEqual(await patched({ spec: { free } }, merge), [413, 'Request entity too large: limit is 1572864']);
    }
  });

  test('when a patch makes a list of too many items, or defaults an object of too many values', async () => {
    const { send } = await remote();
    const list = Array.from({ length: 19_999 }, (_, index) => `a${index}`);
    assert.deepEqual(await send('POST', things, { ...thing, spec: { free: { list } } }), [201, undefined]);
    const add = { op: 'add', path: '/spec/free/list/-', value: 'b' };
    assert.deepEqual(await send('PATCH', `${things}/a`, [add], json), [200, undefined]);
    assert.deepEqual(await send('PATCH', `${things}/a`, [add], json), [413, members]);
    // Each item gets two fields.
    const lists = { free: { a: list, b: list, c: list }, defaults: Array.from({ length: 15_000 }, () => ({})) };
    assert.deepEqual(await send('POST', things, { ...thing, spec: lists }), [413, values]);
  });

  test('when the defaults of a built-in kind make it of too many characters', async () => {
    const { send } = await remote();
    const containers = Array.from({ length: 14_000 }, (_, index) => ({ name: `a${index}`, image: 'b' }));
    const large = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a' }, spec: { containers } };
    const pods = '/api/v1/namespaces/default/pods';
    assert.deepEqual(await send('POST', pods, large), [413, 'Request entity too large: limit is 1572864']);
  });

  test('when managedFields has too many entries', async () => {
    const { send } = await remote();
    const message = 'Request entity too large: limit is 1000 entries of managedFields';
    assert.deepEqual(await send('POST', configMaps, managed(1000)), [201, undefined]);
    assert.deepEqual(await send('POST', configMaps, managed(1001)), [413, message]);
  });

  test('when a header is too long', async () => {
    const { list } = await remote();
    const accept = 'application/json'.padEnd(65_536);
    assert.deepEqual(await list('', { accept }), [200, undefined]);
    const tooLong = [431, 'Request Header Fields Too Large: accept: limit is 65536 bytes'];
    assert.deepEqual(await list('', { accept: `${accept} ` }), tooLong);
  });

  test('when a selector has too many requirements or values', async () => {
    const { list } = await remote();
    const tooLong = [400, 'the selector is too long: limit is 1000 requirements and 10000 values'];
    assert.deepEqual(await list(labels(1000)), [200, undefined]);
    assert.deepEqual(await list(labels(1001)), tooLong);
    assert.deepEqual(await list(`a in (${labels(10_000)})`), [200, undefined]);
    assert.deepEqual(await list(`a in (${labels(5000)}),b in (${labels(5001)})`), tooLong);
  });

  test('when a selector in an object has too many requirements or values', async () => {
    const { send } = await remote();
    const problem = 'Forbidden: the selector is too long: limit is 1000 requirements and 10000 values';
    const budget = (name: string, selector: object) => {
      const body = { apiVersion: 'policy/v1', kind: 'PodDisruptionBudget', metadata: { name }, spec: { selector } };
      return send('POST', '/apis/policy/v1/namespaces/default/poddisruptionbudgets', body);
    };
    const invalid = 'PodDisruptionBudget.policy "a" is invalid: spec.selector';
    const service = (name: string, selector: object) => {
      const spec = { ports: [{ port: 80 }], selector };
      return send('POST', '/api/v1/namespaces/default/services', {
        apiVersion: 'v1',
        kind: 'Service',
        metadata: { name },
        spec,
      });
    };
    assert.deepEqual(await budget('b', { matchLabels: wanted(999), matchExpressions: anyOf(9001) }), [201, undefined]);
    assert.deepEqual(await budget('a', { matchLabels: wanted(1001) }), [422, `${invalid}: ${problem}`]);
    assert.deepEqual(await budget('a', { matchExpressions: anyOf(10_001) }), [422, `${invalid}: ${problem}`]);
    assert.deepEqual(await service('b', wanted(1000)), [201, undefined]);
    const ofService = `Service "a" is invalid: spec.selector: ${problem}`;
    assert.deepEqual(await service('a', wanted(1001)), [422, ofService]);
  });

  test('when a schedule is too long', async () => {
    const { send } = await remote();
    const create = (name: string, schedule: string) => {
      const template = { spec: { restartPolicy: 'Never', containers: [{ name: 'a', image: 'b' }] } };
      const spec = { schedule, jobTemplate: { spec: { template } } };
      const body = { apiVersion: 'batch/v1', kind: 'CronJob', metadata: { name }, spec };
      return send('POST', '/apis/batch/v1/namespaces/default/cronjobs', body);
    };
    const longest = `${'1,'.repeat(2043)}1 * * * *`.padEnd(4096);
    assert.deepEqual(await create('longest', longest), [201, undefined]);
    const [status, message] = await create('longer', `${longest} `);
    assert.equal(status, 422);
    assert.match(message ?? '', /must be no more than 4096 characters$/);
  });
});

describe('a webhook cannot make an object that a user could not send', () => {
  test('of too many values, members, levels or characters', async () => {
    const values = 'Request entity too large: limit is 100000 fields and items';
    const more = { op: 'add', path: '/spec/free/c', value: fields(19_000) };
    assert.deepEqual(await patchedBy(copies(4), true), [201, undefined]);
    assert.deepEqual(await patchedBy([...copies(4), more], true), refused(values));
    assert.deepEqual(await patchedBy(copies(6), true), refused(values));
    const depth = refused('the object is nested too deeply: limit is 500 levels');
    assert.deepEqual(await patchedBy(deepValues(), true), depth);
    assert.deepEqual(await patchedBy(deepCopies(), true), depth);
    const lists = Array.from({ length: 3 }, () => Object.values(fields(19_000)));
    const defaulted = { free: { lists }, defaults: Array.from({ length: 15_000 }, () => ({})) };
    assert.deepEqual(await patchedBy([{ op: 'add', path: '/spec', value: defaulted }], true), refused(values));
    const text = { op: 'add', path: '/data', value: { a: 'a'.repeat(1.5 * 1024 * 1024) } };
    assert.deepEqual(await patchedBy([text], false), refused('Request entity too large: limit is 1572864'));
  });

  test('without metadata', async () => {
    for (const value of [7, null, [], {}, { metadata: 7 }]) {
      const answer = await patchedBy([{ op: 'replace', path: '', value }], false);
      assert.deepEqual(answer, refused('a ConfigMap is an object with metadata'));
    }
  });
});
