// SPDX-License-Identifier: Apache-2.0
import { testCase, type ConformanceCase } from '../../conversation/conformance-case.ts';
import type { Conversation } from '../../conversation/conversation.ts';
import { defineValues, definitions, valueDefinition } from '../../objects/define-values.ts';
import { configMap, deployment } from '../../objects/objects.ts';

const megabyte = 1024 * 1024;
const yaml = { 'content-type': 'application/yaml' };

/** Objects nested to this depth. */
function nested(depth: number): string {
  return `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;
}

/** A config map with an invalid field, as text that JSON.stringify would not produce. */
function oddMap(field: string): string {
  return `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"},${field}}`;
}

/** A deployment with these replicas, as text. */
function scaled(replicas: string): string {
  return JSON.stringify(deployment('a', { replicas: 0 })).replace('"replicas":0', `"replicas":${replicas}`);
}

/** Tries to define values with an invalid schema. */
function define(api: Conversation, schema: object) {
  return api.post(definitions, valueDefinition(api, {}, { schema: { openAPIV3Schema: schema } }));
}

/** Malformed, oversized or hostile requests. */
export const badInput: readonly ConformanceCase[] = [
  testCase('a body that breaks off is refused where it breaks', async (api) => {
    await api.post('configmaps', '{"kind":"ConfigMap","metadata":{"name":');
    await api.post('configmaps', '{"kind":"ConfigMap"}}');
    await api.post('configmaps', "{'kind':'ConfigMap'}");
    await api.post('configmaps', oddMap('"data":{"a":"\u0007"}'));
    await api.put('configmaps/a', '{"kind":');
    await api.delete('configmaps/a', '{"kind":');
  }),
  testCase('a patch that breaks off is refused', async (api) => {
    await api.post('configmaps', configMap('a'));
    await api.patch('json', 'configmaps/a', '[{"op":');
    await api.patch('merge', 'configmaps/a', '{"data":');
    await api.patch('strategic', 'configmaps/a', '{"data":');
    await api.apply('configmaps/a', 'me', 'a: [');
  }),
  testCase('a patch that is no patch is refused', async (api) => {
    await api.post('configmaps', configMap('a'));
    await api.patch('json', 'configmaps/a', '{}');
    await api.patch('json', 'configmaps/a', '[{"op":"grow","path":"/data"}]');
    await api.patch('merge', 'configmaps/a', '[]');
    await api.patch('strategic', 'configmaps/a', '"text"');
    await api.apply('configmaps/a', 'me', '[]');
  }),
  testCase('YAML that is none is refused', async (api) => {
    await api.post('configmaps', 'kind: ConfigMap\n\tmetadata: {}\n', {}, yaml);
    await api.post('configmaps', 'kind: [ConfigMap\n', {}, yaml);
    await api.post('configmaps', '- kind: ConfigMap\n', {}, yaml);
    await api.post('configmaps', 'text', {}, yaml);
    await api.post('configmaps', 'a: b: c', {}, yaml);
    await api.post('configmaps', 'a: {b: c', {}, yaml);
  }),
  testCase('a list or a text is no object', async (api) => {
    await api.post('configmaps', '[]');
    await api.post('configmaps', '"ConfigMap"');
    await api.post('configmaps', 'null');
    await api.post('configmaps', '{}');
  }),
  testCase('an object of another kind is refused', async (api) => {
    await api.post('configmaps', deployment('a'));
    await api.post('configmaps', { ...configMap('a'), kind: 'Config' });
    await api.post('configmaps', { ...configMap('a'), apiVersion: 'v2' });
    await api.post('configmaps', { ...configMap('a'), kind: 7 });
    await api.post('configmaps', { ...configMap('a'), metadata: 'a' });
  }),
  testCase('numbers that no field can hold are refused', async (api) => {
    await api.post('apps/v1/deployments', scaled('2147483648'));
    await api.post('apps/v1/deployments', scaled('1.5'));
    await api.post('apps/v1/deployments', scaled('"1"'));
  }),
  testCase('objects nested 100,000 deep are refused', async (api) => {
    await api.post('configmaps', nested(100_000));
    await api.post('configmaps', oddMap(`"data":${nested(100_000)}`));
    await api.post('configmaps', oddMap(`"data":${'['.repeat(100_000)}`));
    await api.post('configmaps', configMap('a'));
    await api.put('configmaps/a', oddMap(`"data":${nested(100_000)}`));
    await api.patch('merge', 'configmaps/a', `{"data":${nested(100_000)}}`);
    await api.patch('strategic', 'configmaps/a', `{"data":${nested(100_000)}}`);
    await api.patch('json', 'configmaps/a', `[{"op":"add","path":"/data","value":${nested(100_000)}}]`);
    await api.apply('configmaps/a', 'me', oddMap(`"data":${nested(100_000)}`));
  }),
  testCase('custom resources nested 100,000 deep are refused', async (api) => {
    const { path, value } = await defineValues(api, {
      spec: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
    });
    const deep = (depth: number) => JSON.stringify(value('a', 0)).replace('"spec":0', `"spec":${nested(depth)}`);
    await api.post(path, deep(100_000));
    await api.post(path, value('a', {}));
    await api.put(`${path}/a`, deep(100_000));
    await api.patch('merge', `${path}/a`, `{"spec":${nested(100_000)}}`);
    await api.patch('json', `${path}/a`, `[{"op":"add","path":"/spec","value":${nested(100_000)}}]`);
    await api.apply(`${path}/a`, 'me', deep(100_000));
  }),
  testCase('a body larger than any object may be is refused', async (api) => {
    const large = 'x'.repeat(3 * megabyte);
    await api.post('configmaps', configMap('a', { large }));
    await api.post('configmaps', configMap('a'));
    await api.put('configmaps/a', configMap('a', { large }));
    await api.patch('merge', 'configmaps/a', { data: { large } });
    await api.apply('configmaps/a', 'me', configMap('a', { large }));
    await api.delete('configmaps/a', { propagationPolicy: large });
  }),
  testCase('data and annotations have a limit of their own', async (api) => {
    await api.post('configmaps', configMap('a', { large: 'x'.repeat(megabyte + 1) }));
    await api.post('configmaps', configMap('a', {}, { annotations: { large: 'x'.repeat(256 * 1024) } }));
  }),
  testCase('a name that is none is refused', async (api) => {
    for (const name of ['-', 'A', 'a b', 'ä', 'a/b', '..', 'a'.repeat(254)])
      await api.post('configmaps', configMap(name));
    await api.get('configmaps/..%2fa');
    await api.get(`configmaps/${'a'.repeat(1000)}`);
  }),
  testCase('options that are none are refused', async (api) => {
    await api.get('configmaps', { limit: 'many' });
    await api.get('configmaps', { continue: 'here' });
    await api.get('configmaps', { fieldSelector: 'metadata.name' });
    await api.get('configmaps', { resourceVersion: 'new' });
    await api.get('configmaps', { timeoutSeconds: 'long', watch: 'true' });
    await api.post('configmaps', configMap('a'), { dryRun: 'Some' });
    await api.post('configmaps', configMap('a'), { fieldValidation: 'Perhaps' });
    await api.post('configmaps', configMap('a'), { fieldManager: 'x'.repeat(129) });
    await api.delete('configmaps/a', undefined, { propagationPolicy: 'Whatever' });
    await api.delete('configmaps/a', undefined, { gracePeriodSeconds: 'soon' });
  }),
  testCase('a schema that is not structural is refused', async (api) => {
    await define(api, { properties: { spec: { type: 'object' } } });
    await define(api, { type: 'object', properties: { spec: { properties: { size: { type: 'integer' } } } } });
    await define(api, {
      type: 'object',
      properties: { spec: { type: 'object', anyOf: [{ type: 'object', default: {} }] } },
    });
    await define(api, { type: 'object', properties: { spec: { type: 'array' } } });
    await define(api, {
      type: 'object',
      properties: { spec: { type: 'object', properties: {}, additionalProperties: {} } },
    });
    await define(api, { type: 'object', properties: { metadata: { type: 'object', minProperties: 1 } } });
    await define(api, { type: 'text' });
  }),
];
