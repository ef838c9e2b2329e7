// SPDX-License-Identifier: Apache-2.0
import type { KubeObject } from '@forge/kube/objects/object.ts';
import { testCase, type ConformanceCase } from '../../conversation/conformance-case.ts';
import type { Conversation } from '../../conversation/conversation.ts';
import { defineValues, definitions, valueDefinition } from '../../objects/define-values.ts';

interface Value extends KubeObject {
  spec?: Readonly<Record<string, unknown>>;
}

const object = (properties: object, more: object = {}) => ({ type: 'object', properties, ...more });
const text = { type: 'string' };
const integer = { type: 'integer' };

/** Changes the schema of the spec of values; a default of its field `now` shows when the change has taken effect. */
async function redefine(
  api: Conversation,
  { properties, ...more }: { properties: object },
  now: string,
  version?: object,
) {
  const spec = { ...more, properties: { ...properties, now: { ...text, default: now } } };
  const definition = valueDefinition(api, { spec }, version);
  const {
    metadata,
    spec: { group, versions },
  } = definition;
  await api.patch('merge', `${definitions}/${metadata.name}`, { spec: { versions } }, { fieldManager: 'zoe' });
  await api.eventually<Value>(`${group}/v1/values/a`, (value) => value.spec?.['now'] === now);
  // Lists come from a cache that must be refilled first.
  await api.eventually(`${group}/v1/values`, (_, status) => status === 200);
}

/** A value stored before its size had a default. */
async function olderValue(api: Conversation, version?: object) {
  const { path, value } = await defineValues(api, { spec: object({ size: integer, color: text }) }, version);
  await api.post(path, value('a', { color: 'red' }));
  await redefine(api, object({ size: { ...integer, default: 3 }, color: text }), 'then', version);
  return { path, value };
}

/** A list whose items have names. */
function named(items: object) {
  return {
    type: 'array',
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['name'],
    items,
  };
}

/** Existing custom resources after their definition has changed. */
export const redefinitions: readonly ConformanceCase[] = [
  testCase('a default that came later is shown by get, list and watch', async (api) => {
    const { path } = await olderValue(api);
    const watching = await api.watch(path, { resourceVersion: '0' });
    await watching.take(1);
    await api.delete(`${path}/a`);
    await watching.take(1);
  }),

  testCase('a default that came later is stored by the next update', async (api) => {
    const { path } = await olderValue(api);
    const shown = await api.get<Value>(`${path}/a`);
    await api.put(`${path}/a`, shown);
    await api.put(`${path}/a`, shown);
    await api.patch('merge', `${path}/a`, { metadata: { labels: { a: 'b' } } });
  }),

  testCase('a default that came later belongs to who applies it', async (api) => {
    const { path, value } = await olderValue(api);
    await api.apply(`${path}/a`, 'alice', value('a', { size: 3 }));
    await api.apply(`${path}/a`, 'alice', value('a', { size: 4 }));
    await api.apply(`${path}/a`, 'alice', value('a', {}));
  }),

  testCase('a JSON patch can test a default that came later', async (api) => {
    const { path } = await olderValue(api);
    await api.patch('json', `${path}/a`, [
      { op: 'test', path: '/spec/size', value: 3 },
      { op: 'add', path: '/spec/color', value: 'blue' },
    ]);
    await api.patch('json', `${path}/a`, [{ op: 'remove', path: '/spec/size' }]);
  }),

  testCase('a default that came later can be selected by', async (api) => {
    const { path } = await olderValue(api, { selectableFields: [{ jsonPath: '.spec.size' }] });
    await api.get(path, { fieldSelector: 'spec.size=3' });
    await api.get(path, { fieldSelector: 'spec.size!=3' });
  }),

  testCase('a field its definition has lost is shown no more', async (api) => {
    const { path, value } = await defineValues(api, { spec: object({ size: integer, color: text }) });
    await api.post(path, value('a', { color: 'red', size: 1 }));
    await redefine(api, object({ size: integer }), 'then');
    await redefine(api, object({ size: integer, color: text }), 'now');
    await redefine(api, object({ size: integer }), 'later');
    await api.patch('merge', `${path}/a`, { metadata: { labels: { a: 'b' } } });
    await redefine(api, object({ size: integer, color: text }), 'later');
    await api.get(`${path}/a`);
  }),

  testCase('a value that was invalid before may stay until it is touched', async (api) => {
    const { path, value } = await defineValues(api, {
      spec: object({ size: integer, color: text, list: { type: 'array', items: text } }),
    });
    await api.post(path, value('a', { size: 1, color: 'red', list: ['a', 'b'] }));
    const list = { type: 'array', items: { ...text, minLength: 2 } };
    await redefine(api, object({ size: { ...integer, minimum: 3 }, color: { ...text, enum: ['blue'] }, list }), 'then');
    const patch = (spec: object, labels: object = {}) =>
      api.patch('merge', `${path}/a`, { metadata: { labels }, spec });
    await patch({}, { a: 'b' });
    await patch({ size: 2 });
    await patch({ color: 'green' });
    await patch({ list: ['a'] });
    await patch({ size: 4 });
    await patch({ color: 'blue' });
    await api.post(path, value('b', { size: 1 }));
  }),

  testCase('items of a map may stay invalid, and fields missing', async (api) => {
    const items = object({ name: text, size: integer }, { required: ['name'] });
    const { path, value } = await defineValues(api, { spec: object({ list: named(items), any: text }) });
    await api.post(path, value('a', { list: [{ name: 'a', size: 1 }, { name: 'b' }] }));
    const strict = object({ name: text, size: { ...integer, minimum: 3 } }, { required: ['name', 'size'] });
    await redefine(api, object({ list: { ...named(strict), maxItems: 1 }, any: text }, { required: ['any'] }), 'then');
    const patch = (spec: object, labels: object = {}) =>
      api.patch('merge', `${path}/a`, { metadata: { labels }, spec });
    await patch({}, { a: 'b' });
    await patch({ list: [{ name: 'b' }, { name: 'a', size: 1 }] });
    await patch({ list: [{ name: 'a', size: 2 }, { name: 'b' }] });
    await patch({ any: 'x' });
    await patch({ list: [{ name: 'a', size: 1 }] });
    await patch({ any: null });
  }),
];
