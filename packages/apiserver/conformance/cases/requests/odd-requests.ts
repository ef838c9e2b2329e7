// SPDX-License-Identifier: Apache-2.0
import { testCase, type ConformanceCase } from '../../conversation/conformance-case.ts';
import { defineValues } from '../../objects/define-values.ts';
import { configMap } from '../../objects/objects.ts';

const yaml = { 'content-type': 'application/yaml' };

/** Unusual and malformed requests, such as those typed by hand. */
export const oddRequests: readonly ConformanceCase[] = [
  testCase('an object is not created under its own path', async (api) => {
    await api.post('configmaps/a', configMap('a'));
    await api.post('configmaps/a/status', configMap('a'));
    const { path, value } = await defineValues(api, { spec: { type: 'string' } });
    await api.post(`${path}/a`, value('a', 'x'));
  }),
  testCase('what the server says of itself can only be read', async (api) => {
    for (const path of ['/api', '/api/v1', '/apis/apps', '/apis/apps/v1', '/version', '/healthz']) {
      await api.post(path, {});
      await api.delete(path);
    }
  }),
  testCase('a name that no path can hold is refused', async (api) => {
    for (const name of ['%2e%2e', '%2e', 'a%25b']) {
      await api.get(`configmaps/${name}`);
      await api.patch('merge', `configmaps/${name}`, {});
      await api.delete(`configmaps/${name}`);
    }
  }),
  testCase('a patch of nothing finds nothing, whatever it says', async (api) => {
    await api.patch('json', 'configmaps/none', '[{"op":');
    await api.patch('json', 'configmaps/none', '{}');
    await api.patch('merge', 'configmaps/none', '[]');
    await api.patch('merge', 'configmaps/none', '{"data":');
    await api.patch('strategic', 'configmaps/none', '{"data":');
    await api.apply('configmaps/none', 'me', {});
  }),
  testCase('options of a delete are of their own kind', async (api) => {
    await api.post('configmaps', configMap('a'));
    await api.delete('configmaps/a', { kind: 'Options' });
    await api.delete('configmaps/a', { kind: 'DeleteOptions', apiVersion: 'v2' });
    await api.delete('configmaps/a', { kind: 'ConfigMap', apiVersion: 'v1' });
    await api.delete('configmaps/a', { kind: 'DeleteOptions', apiVersion: 'v1' });
  }),
  testCase('a binding is of the pod in its path', async (api) => {
    await api.post('pods/none/binding', {});
    await api.post('pods/none/binding', { metadata: { name: 'other' }, target: { name: 'node' } });
    await api.post('pods/none/binding', { metadata: { name: 'none' } });
  }),
  testCase('YAML means what it meant in its older version', async (api) => {
    const map = (name: string, value: string) =>
      api.post(
        'configmaps',
        `kind: ConfigMap\napiVersion: v1\nmetadata: {name: ${name}}\ndata: {a: ${value}}\n`,
        {},
        yaml,
      );
    for (const value of ['yes', 'off', 'y', '~', '0777', '1_000', '1:30', '2001-01-01', '"yes"', '!!str 5']) {
      await map('a', value);
      await api.delete('configmaps/a');
    }
    await map('a', 'b}\n---\nkind: {Secret: c');
  }),
  testCase('a label selector that breaks off is refused where it breaks', async (api) => {
    for (const labelSelector of [
      'a===b',
      '=',
      'a in (',
      'a in',
      'a in b',
      'a,',
      ',',
      '!',
      'a!',
      'a b',
      '()',
      'a in (b',
      'a=b c',
      'a>x',
      'a>5,b',
      'a in ()',
      'a in (,)',
      'a in (b,,c)',
      'a in (=)',
      'a in (b=)',
      '!a=b',
      'in in (in)',
    ]) {
      await api.get('configmaps', { labelSelector });
    }
  }),
];
