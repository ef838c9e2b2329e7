// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { crdOf } from '@forge/kube/kinds/crd.ts';
import { seconds } from '@forge/runtime/environment/duration.ts';
import fc from 'fast-check';
import type { ServerResponse } from '../messages/server-request.ts';
import { Backup, configMap } from './objects.ts';
import { testServer, type TestServer } from './test-server.ts';

/** Property names that every JavaScript object inherits, and similar ones that none does. */
const pairs = [
  ['constructor', 'constructeur'],
  ['__proto__', '__prota__'],
  ['toString', 'toStrong'],
  ['valueOf', 'valueIf'],
  ['hasOwnProperty', 'hasOwnPropertx'],
  ['__defineGetter__', '__defineGettar__'],
] as const;

type RequestArguments = readonly [method: string, path: string, body?: unknown, contentType?: string];

const maps = '/api/v1/namespaces/default/configmaps';
const backups = '/apis/example.com/v1/namespaces/default/backups';
const [merge, strategic, json, apply] = [
  'application/merge-patch+json',
  'application/strategic-merge-patch+json',
  'application/json-patch+json',
  'application/apply-patch+yaml',
];

/** An object with a field of this name; a literal would set the prototype. */
function withField(name: string, value: unknown): object {
  return Object.fromEntries([[name, value]]);
}

/** Requests that contain a name. */
const requests: readonly ((name: string) => RequestArguments)[] = [
  (name) => ['POST', maps, { ...configMap(name.toLowerCase().replaceAll('_', 'x')), data: withField(name, 'x') }],
  (name) => ['POST', maps, { ...configMap('b'), metadata: { name: 'b', labels: withField(name, 'x') } }],
  (name) => ['GET', `${maps}?labelSelector=${name}`],
  (name) => ['GET', `${maps}?labelSelector=${encodeURIComponent(`!${name}`)}`],
  (name) => ['GET', `${maps}?labelSelector=${encodeURIComponent(`${name} notin (x)`)}`],
  (name) => ['GET', `${maps}?labelSelector=${encodeURIComponent(`a ${name} (x)`)}`],
  (name) => ['GET', `${maps}?fieldSelector=${name}%3Dx`],
  (name) => ['GET', `${maps}/${name.toLowerCase().replaceAll('_', 'x')}`],
  (name) => ['GET', `${maps}/${name}`],
  (name) => ['PATCH', `${maps}/a`, { data: withField(name, 'y') }, merge],
  (name) => ['PATCH', `${maps}/a`, { data: withField(name, null) }, merge],
  (name) => ['PATCH', `${maps}/a`, { data: withField(name, { deeper: 1 }) }, merge],
  (name) => ['PATCH', `${maps}/a`, { data: withField(name, 'z') }, strategic],
  (name) => ['PATCH', `${maps}/a`, { metadata: { annotations: withField(name, 'z') } }, strategic],
  (name) => ['PATCH', `${maps}/a`, withField(name, { x: 'z' }), strategic],
  (name) => ['PATCH', `${maps}/a`, { metadata: withField(name, { x: 'z' }) }, merge],
  (name) => ['PATCH', `${maps}/a`, [{ op: 'add', path: `/data/${name}`, value: 'j' }], json],
  (name) => ['PATCH', `${maps}/a`, [{ op: 'test', path: `/data/${name}`, value: 'j' }], json],
  (name) => ['PATCH', `${maps}/a`, [{ op: 'remove', path: `/data/${name}` }], json],
  (name) => ['PATCH', `${maps}/a?fieldManager=m`, { ...configMap('a'), data: withField(name, 'applied') }, apply],
  () => ['PATCH', `${maps}/a?fieldManager=m`, { ...configMap('a'), data: {} }, apply],
  (name) => ['PATCH', `${maps}/a`, { data: {} }, name],
  (name) => ['POST', maps, { ...configMap('c'), kind: name }],
  (name) => ['POST', `/api/v1/namespaces/default/secrets`, { metadata: { name: 's' }, type: name }],
  (name) => ['POST', backups, backup('a', { free: withField(name, { x: 1 }) })],
  (name) => ['POST', backups, backup('b', withField(name, 'x'))],
  (name) => ['PATCH', `${backups}/a?fieldManager=m`, backup('a', { free: withField(name, 2) }), apply],
  (name) => ['PATCH', `${backups}/a`, { spec: { free: withField(name, null) } }, merge],
  (name) => ['POST', backups, backup('c', { items: [withField(name, 'x'), withField(name, 'y')] })],
  (name) => ['POST', backups, backup('d', { items: [withField(name, 'x'), {}] })],
  () => ['DELETE', `${backups}/a`],
  (name) => ['GET', `/apis/${name}`],
  (name) => ['GET', `/apis/${name}/v1/${name}`],
  (name) => ['GET', `/api/v1/${name}`],
  (name) => ['POST', `${maps}/a/${name}`, {}],
];

function backup(name: string, more: object): object {
  return { apiVersion: 'example.com/v1', kind: 'Backup', metadata: { name }, spec: { schedule: 'x', ...more } };
}

/** A server with objects to change, and a kind whose schema contains the name. */
async function preparedServer(name: string): Promise<TestServer> {
  const served = await testServer();
  const definition = crdOf(Backup);
  const { properties } = Backup.schema.properties?.['spec'] ?? {};
  const item = { type: 'object', required: [name], properties: withField(name, { type: 'string' }) };
  const keyed = { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': [name] };
  const spec = {
    type: 'object',
    properties: {
      ...properties,
      free: { type: 'object', additionalProperties: { 'x-kubernetes-preserve-unknown-fields': true } },
      items: { type: 'array', ...keyed, items: item },
      nested: { type: 'object', default: {}, properties: withField(name, { type: 'string', default: 'd' }) },
    },
  };
  const [version] = definition.spec.versions;
  const versions = [{ ...version, schema: { openAPIV3Schema: { type: 'object', properties: { spec } } } }];
  const crds = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
  await send(served, ['POST', crds, { ...definition, spec: { ...definition.spec, versions } }]);
  await served.clock.settle();
  await send(served, ['POST', maps, configMap('a', { other: 'x' })]);
  return served;
}

/** Sends a request as bytes, as over the wire. */
async function send(
  { server }: TestServer,
  [method, url, body, type = 'application/json']: RequestArguments,
): Promise<unknown> {
  const { pathname: path, searchParams } = new URL(url, 'https://server');
  const response = await server.handle({
    method,
    path,
    query: Object.fromEntries(searchParams),
    headers: { 'content-type': type },
    ...(body !== undefined && { body: Buffer.from(JSON.stringify(body)) }),
    user: { name: 'admin', groups: ['system:masters'] },
  });
  return { status: response.status, body: textOf(response) };
}

function textOf(response: ServerResponse): string {
  if ('payload' in response) return Buffer.from(response.payload.bytes).toString();
  return 'text' in response ? response.text : '';
}

/** The responses and watch events, with the name replaced by `NAME`. */
async function transcript(name: string, chosen: readonly number[]): Promise<unknown> {
  const served = await preparedServer(name);
  const resourceVersion = String(served.server.store.current.revision);
  const responses: unknown[] = [];
  for (const index of chosen) responses.push(await send(served, requests[index]!(name)));
  const watch = await served.server.handle({
    method: 'GET',
    path: maps,
    query: { watch: 'true', resourceVersion, timeoutSeconds: '1' },
    headers: {},
    user: { name: 'admin', groups: ['system:masters'] },
  });
  const events = 'events' in watch ? Array.fromAsync(watch.events, ({ bytes }) => Buffer.from(bytes).toString()) : [];
  await served.clock.advance(seconds(2));
  responses.push(await events);
  await served.server.close();
  const text = JSON.stringify(responses).replaceAll(name, 'NAME');
  const lower = name.toLowerCase().replaceAll('_', 'x');
  return JSON.parse(text.replaceAll(lower, 'NAME'));
}

describe('a name that every object inherits', () => {
  for (const [inherited, ordinary] of pairs) {
    test(`behaves like any other: ${inherited}`, async () => {
      const sequence = fc.array(fc.nat(requests.length - 1), { minLength: 1, maxLength: 12 });
      await fc.assert(
        fc.asyncProperty(sequence, async (chosen) => {
          assert.deepEqual(await transcript(inherited, chosen), await transcript(ordinary, chosen));
        }),
        { numRuns: 10, examples: [[requests.map((_, index) => index)]] },
      );
    });
  }
});
