// SPDX-License-Identifier: Apache-2.0
import { testCase, type ConformanceCase } from '../../conversation/conformance-case.ts';
import { defineValues } from '../../objects/define-values.ts';
import { configMap } from '../../objects/objects.ts';

/** An object with a field of this name: in a literal, `__proto__` would set the prototype. */
function having(name: string, value: unknown): Record<string, never> {
  return Object.fromEntries([[name, value]]) as Record<string, never>;
}

/** Names with a special meaning in JavaScript, but none in Go. */
export const inheritedNames: readonly ConformanceCase[] = [
  testCase('selectors by labels that objects do not have', async (api) => {
    await api.post('configmaps', configMap('a', {}, { labels: { app: 'web' } }));
    await api.post('configmaps', configMap('b', {}, { labels: { constructor: 'x' } }));
    const mine = 'kube-root-ca.crt';
    const fieldSelector = `metadata.name!=${mine}`;
    for (const name of ['constructor', 'toString', 'valueOf']) {
      for (const labelSelector of [name, `!${name}`, `${name}=x`, `${name} notin (x)`, `app ${name} (x)`]) {
        await api.get('configmaps', { labelSelector, fieldSelector });
      }
    }
    await api.get('configmaps', { fieldSelector: 'constructor=x' });
  }),
  testCase('objects and labels are called constructor', async (api) => {
    await api.post('configmaps', configMap('constructor', { constructor: 'x', ...having('__proto__', 'y') }));
    await api.get('configmaps/constructor');
    await api.get('configmaps/tostring');
    await api.post('configmaps', configMap('b', {}, { labels: having('__proto__', 'x') }));
    await api.post('configmaps', configMap('b', {}, { annotations: having('toString', 'x') }));
    await api.delete('configmaps/constructor');
  }),
  testCase('applied keys are kept and given back', async (api) => {
    const data = { constructor: 'x', ...having('__proto__', 'y') };
    await api.apply('configmaps/a', 'one', configMap('a', data));
    await api.apply('configmaps/a', 'two', configMap('a', having('__proto__', 'z')));
    await api.apply('configmaps/a', 'two', configMap('a', having('__proto__', 'z')), { force: 'true' });
    await api.apply('configmaps/a', 'one', configMap('a', having('toString', 'x')));
    await api.get('configmaps/a');
    await api.post('configmaps', configMap('b', { other: 'x' }));
    await api.apply('configmaps/b', 'one', configMap('b', having('__proto__', 'y')));
  }),
  testCase('patches name keys that are not there', async (api) => {
    await api.post('configmaps', configMap('a', { other: 'x' }));
    const watch = await api.watch('configmaps', { fieldSelector: 'metadata.name=a' });
    await api.patch('merge', 'configmaps/a', { data: having('__proto__', 'm') });
    await api.patch('strategic', 'configmaps/a', { data: { constructor: 's' } });
    await api.patch('json', 'configmaps/a', [{ op: 'test', path: '/data/toString', value: 'x' }]);
    await api.patch('json', 'configmaps/a', [{ op: 'remove', path: '/data/toString' }]);
    await api.patch('json', 'configmaps/a', [{ op: 'replace', path: '/data/__proto__', value: 'j' }]);
    await api.patch('merge', 'configmaps/a', { data: having('__proto__', null) });
    await watch.take(5);
  }),
  testCase('a schema knows fields called constructor, and no others', async (api) => {
    const properties = {
      constructor: { type: 'string', default: 'd' },
      free: { type: 'object', additionalProperties: { type: 'integer' } },
    };
    const { path, value } = await defineValues(api, { spec: { type: 'object', properties } });
    await api.post(path, value('a', {}));
    await api.post(path, value('b', { constructor: 1 }));
    await api.post(path, value('c', { ...having('__proto__', 'x'), toString: 'x' }));
    await api.post(path, value('d', { free: { valueOf: 1, ...having('__proto__', 2) } }));
    await api.patch('merge', `${path}/d`, { spec: { free: { valueOf: 'x' } } });
  }),
  testCase('what is looked up by a word is not found by these', async (api) => {
    for (const type of ['constructor', '__proto__', 'toString']) {
      await api.post('secrets', { metadata: { name: type.toLowerCase().replaceAll('_', 'x') }, type });
      await api.get(`configmaps/${type}`);
      await api.get(`/apis/${type}`);
      await api.patch('merge', 'secrets/constructor', {}, {}, { 'content-type': type });
    }
  }),
];
