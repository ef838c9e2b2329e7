// SPDX-License-Identifier: Apache-2.0
import { testCase, type ConformanceCase } from '../../conversation/conformance-case.ts';
import type { Conversation } from '../../conversation/conversation.ts';
import { selected, selecting } from '../../conversation/hooks.ts';
import { definitions, valueDefinition } from '../../objects/define-values.ts';
import { configMap, ownerReference } from '../../objects/objects.ts';

const object = (properties: object, more: object = {}) => ({ type: 'object', properties, ...more });
const text = { type: 'string' };
const integer = { type: 'integer' };

interface Version {
  name: string;
  [field: string]: unknown;
}

/** A version of values with this spec; the first of a definition is the stored one. */
function version(name: string, spec: object, more: object = {}): Version {
  return {
    name,
    served: true,
    storage: false,
    schema: { openAPIV3Schema: object({ spec: object(spec), status: object({ phase: text }) }) },
    ...more,
  };
}

function definitionOf(api: Conversation, versions: readonly Version[]) {
  const definition = valueDefinition(api, {});
  const [first, ...others] = versions;
  return { ...definition, spec: { ...definition.spec, versions: [{ ...first, storage: true }, ...others] } };
}

/** Defines values in these versions, the first of them stored, and waits until all are served. */
async function serve(api: Conversation, ...versions: readonly Version[]) {
  const definition = definitionOf(api, versions);
  const { group } = definition.spec;
  const at = (name: string) => `/apis/${group}/${name}/namespaces/${api.namespace}/values`;
  await api.post(definitions, definition);
  for (const { name, served } of versions) {
    if (served === true) await api.eventually(at(name), (_, status) => status === 200);
  }
  const value = (name: string, inVersion: string, spec: object, metadata: object = {}) => ({
    apiVersion: `${group}/${inVersion}`,
    kind: 'Value',
    metadata: { name, ...metadata },
    spec,
  });
  return {
    definition: `${definitions}/${definition.metadata.name}`,
    group,
    value,
    at,
  };
}

const both = [version('v1', { color: text, size: integer }), version('v1beta1', { color: text, size: integer })];

/** The versions with this one as the storage version. */
function storing(versions: readonly Version[], name: string) {
  return versions.map((each) => ({ ...each, storage: each.name === name }));
}

/** Replaces the versions of a definition. */
async function redefine(api: Conversation, path: string, versions: readonly Version[]): Promise<void> {
  await api.patch('merge', path, { spec: { versions } }, { fieldManager: 'zoe' });
  await api.catchUp();
}

/** A column that shows this field of the spec. */
function column(name: string) {
  return { name, type: 'string', jsonPath: `.spec.${name}` };
}

/** Custom resources in all the versions that their definition serves. */
export const servedVersions: readonly ConformanceCase[] = [
  testCase('every served version of a definition is discovered, the most stable and newest first', async (api) => {
    const names = ['v1beta2', 'v2', 'v10', 'v1', 'v2alpha1', 'v1beta10', 'other', 'v11alpha3', 'another'];
    const versions = names.map((name) => version(name, { color: text }));
    const { group } = await serve(api, ...versions, version('v3', { color: text }, { served: false }));
    await api.get(`/apis/${group}`);
    await api.get(`/apis/${group}/v10`);
    await api.get(`/apis/${group}/v1beta2`);
    await api.get(`/apis/${group}/v3`);
    await api.get(`/apis/${group}/v3/values`);
  }),

  testCase('each version has subresources of its own', async (api) => {
    const scale = { specReplicasPath: '.spec.size', statusReplicasPath: '.status.size' };
    const { group, at, value } = await serve(
      api,
      version('v1', { size: integer }, { subresources: { status: {}, scale } }),
      version('v1beta1', { size: integer }, { subresources: { status: {} } }),
      version('v1alpha1', { size: integer }),
    );
    await api.post(at('v1'), value('a', 'v1', { size: 3 }));
    for (const name of ['v1', 'v1beta1', 'v1alpha1']) {
      await api.get(`/apis/${group}/${name}`);
      await api.get(`${at(name)}/a/scale`);
      await api.patch('merge', `${at(name)}/a/status`, { status: { phase: name } });
      await api.patch('merge', `${at(name)}/a`, { status: { phase: 'whole' } });
    }
  }),

  testCase('an object is read in every version, whichever it was written in', async (api) => {
    const { at, value } = await serve(api, ...both);
    await api.post(at('v1beta1'), value('a', 'v1beta1', { color: 'red' }));
    await api.post(at('v1'), value('b', 'v1', { color: 'blue' }));
    for (const name of ['v1', 'v1beta1']) {
      await api.get(`${at(name)}/a`);
      await api.get(`${at(name)}/b`);
      await api.get(at(name));
      await api.table(at(name));
    }
    await api.post(at('v1'), value('a', 'v1', {}));
    await api.post(at('v1'), value('c', 'v1beta1', {}));
    await api.put(`${at('v1')}/a`, value('a', 'v1beta1', {}));
  }),

  testCase('an object is changed in any version', async (api) => {
    const { at, value } = await serve(api, ...both);
    const created = await api.post(at('v1'), value('a', 'v1', { color: 'red' }));
    const { resourceVersion } = created.metadata;
    await api.put(`${at('v1beta1')}/a`, value('a', 'v1beta1', { color: 'blue' }, { resourceVersion }));
    await api.patch('merge', `${at('v1beta1')}/a`, { spec: { size: 1 } });
    await api.patch('json', `${at('v1beta1')}/a`, [
      { op: 'test', path: '/apiVersion', value: created.apiVersion },
      { op: 'replace', path: '/spec/size', value: 2 },
    ]);
    await api.patch('merge', `${at('v1')}/a`, { spec: { size: 2 } });
    await api.patch('merge', `${at('v1')}/a`, { apiVersion: 'v1' });
    await api.patch('merge', `${at('v1beta1')}/a`, {});
    await api.get(`${at('v1')}/a`);
    await api.delete(`${at('v1beta1')}/a`);
    await api.get(`${at('v1')}/a`);
  }),

  testCase('a watch tells objects in its own version', async (api) => {
    const { at, value } = await serve(api, ...both);
    await api.post(at('v1'), value('a', 'v1', { color: 'red' }));
    const watches = [];
    for (const name of ['v1', 'v1beta1']) {
      watches.push(await api.watch(at(name), { resourceVersion: '0', fieldSelector: 'metadata.name=a' }));
    }
    await api.patch('merge', `${at('v1beta1')}/a`, { spec: { color: 'blue' } });
    await api.patch('merge', `${at('v1')}/a`, { spec: { color: 'green' } });
    await api.delete(`${at('v1beta1')}/a`);
    for (const watching of watches) await watching.take(4);
  }),

  testCase('what a version does not know is not stored through it, nor shown in it', async (api) => {
    const { at, value } = await serve(
      api,
      version('v1', { color: text, only: text }),
      version('v1beta1', { color: text, old: text }),
    );
    await api.post(at('v1'), value('a', 'v1', { color: 'red', only: 'new', old: 'lost' }), { fieldValidation: 'Warn' });
    await api.get(`${at('v1beta1')}/a`);
    await api.post(at('v1beta1'), value('b', 'v1beta1', { color: 'red', old: 'lost', only: 'lost' }), {
      fieldValidation: 'Warn',
    });
    await api.get(`${at('v1beta1')}/b`);
    await api.get(`${at('v1')}/b`);
    await api.patch('merge', `${at('v1beta1')}/a`, { spec: { color: 'blue' } });
    await api.get(`${at('v1')}/a`);
    await api.post(at('v1beta1'), value('c', 'v1beta1', { old: 'lost' }), { dryRun: 'All' });
  }),

  testCase('each version has defaults and rules of its own', async (api) => {
    const { at, value } = await serve(
      api,
      version('v1', { color: { ...text, default: 'red' }, size: { ...integer, maximum: 9, default: 5 } }),
      version('v1beta1', {
        color: { ...text, default: 'blue' },
        size: { ...integer, maximum: 3 },
      }),
    );
    await api.post(at('v1beta1'), value('a', 'v1beta1', {}));
    await api.get(`${at('v1')}/a`);
    await api.post(at('v1'), value('b', 'v1', {}));
    await api.get(`${at('v1beta1')}/b`);
    await api.post(at('v1beta1'), value('c', 'v1beta1', { size: 7 }));
    await api.patch('merge', `${at('v1beta1')}/b`, { spec: { color: 'green' } });
    await api.patch('merge', `${at('v1beta1')}/b`, { spec: { size: 6 } });
    await api.patch('merge', `${at('v1beta1')}/b`, { spec: { size: 2 } });
  }),

  testCase('a rule about changes compares values in the version of the request', async (api) => {
    const fixed = { ...text, 'x-kubernetes-validations': [{ rule: 'self == oldSelf', message: 'fixed' }] };
    const { at, value } = await serve(api, version('v1', { color: text }), version('v1beta1', { color: fixed }));
    await api.post(at('v1'), value('a', 'v1', { color: 'red' }));
    await api.patch('merge', `${at('v1beta1')}/a`, { spec: { color: 'blue' } });
    await api.patch('merge', `${at('v1')}/a`, { spec: { color: 'blue' } });
    await api.patch('merge', `${at('v1beta1')}/a`, { metadata: { labels: { a: 'b' } } });
  }),

  testCase('each version has columns and selectable fields of its own', async (api) => {
    const { at, value } = await serve(
      api,
      version(
        'v1',
        { color: text, size: text },
        {
          additionalPrinterColumns: [column('color')],
          selectableFields: [{ jsonPath: '.spec.color' }],
        },
      ),
      version(
        'v1beta1',
        { color: text, size: text },
        {
          additionalPrinterColumns: [column('size'), { ...column('color'), priority: 1 }],
          selectableFields: [{ jsonPath: '.spec.size' }],
        },
      ),
      version('v1alpha1', { color: text }),
    );
    await api.post(at('v1'), value('a', 'v1', { color: 'red', size: 'small' }));
    await api.post(at('v1'), value('b', 'v1', { color: 'blue', size: 'large' }));
    for (const name of ['v1', 'v1beta1', 'v1alpha1']) {
      await api.table(at(name));
      await api.get(at(name), { fieldSelector: 'spec.color=red' });
      await api.get(at(name), { fieldSelector: 'spec.size=large' });
    }
  }),

  testCase('fields are owned through the version they were written in', async (api) => {
    const { at, value } = await serve(api, ...both);
    await api.apply(`${at('v1beta1')}/a`, 'alice', value('a', 'v1beta1', { color: 'red' }));
    await api.apply(`${at('v1')}/a`, 'bob', value('a', 'v1', { color: 'blue' }));
    await api.apply(`${at('v1')}/a`, 'bob', value('a', 'v1', { size: 3 }));
    await api.apply(`${at('v1')}/a`, 'bob', value('a', 'v1', { color: 'blue', size: 3 }), { force: 'true' });
    await api.apply(`${at('v1')}/a`, 'alice', value('a', 'v1', { size: 3 }));
    await api.apply(`${at('v1')}/a`, 'bob', value('a', 'v1beta1', {}));
    await api.patch('merge', `${at('v1beta1')}/a`, { spec: { size: 4 } }, { fieldManager: 'carol' });
    await api.patch('merge', `${at('v1')}/a`, { spec: { color: 'green' } }, { fieldManager: 'carol' });
    await api.apply(`${at('v1beta1')}/a`, 'dave', value('a', 'v1beta1', { size: 5 }));
    await api.get(`${at('v1beta1')}/a`);
  }),

  testCase('objects are stored in another version once they are written', async (api) => {
    const { at, value, definition } = await serve(api, ...both);
    await api.post(at('v1'), value('a', 'v1', { color: 'red' }));
    await redefine(api, definition, storing(both, 'v1beta1'));
    await api.eventually<{ status?: { storedVersions?: string[] } }>(
      definition,
      ({ status }) => status?.storedVersions?.includes('v1beta1') === true,
    );
    await api.get(`${at('v1')}/a`);
    await redefine(api, definition, [{ ...both[1], name: 'v1beta1', storage: true }]);
    const found = await api.get(`${at('v1')}/a`);
    await api.put(`${at('v1')}/a`, found);
    await api.put(`${at('v1')}/a`, { ...found, metadata: { ...found.metadata, resourceVersion: undefined } });
    await api.patch('merge', `${at('v1beta1')}/a`, {});
    await api.get(`${at('v1')}/a`);
    for (const storedVersions of [[], ['v1'], ['v2', 'v1beta1'], ['v1beta1']]) {
      await api.patch('merge', `${definition}/status`, { status: { storedVersions } }, { fieldManager: 'zoe' });
    }
    await redefine(api, definition, [{ ...both[1], name: 'v1beta1', storage: true }]);
    await api.eventually(at('v1'), (_, status) => status === 404);
    await api.get(`${at('v1beta1')}/a`);
  }),

  testCase('a version that is no longer served is gone, its objects are not', async (api) => {
    const { at, value, definition, group } = await serve(api, ...both);
    await api.post(at('v1'), value('a', 'v1', { color: 'red' }));
    await redefine(api, definition, [
      { ...both[0], name: 'v1', served: false, storage: true },
      { ...both[1], name: 'v1beta1' },
    ]);
    await api.eventually(at('v1'), (_, status) => status === 404);
    await api.eventually<{ versions?: unknown[] }>(`/apis/${group}`, ({ versions }) => versions?.length === 1);
    await api.get(`${at('v1beta1')}/a`);
    await api.patch('merge', `${at('v1beta1')}/a`, { spec: { color: 'blue' } });
    await api.delete(`${at('v1beta1')}/a`);
    await api.get(at('v1beta1'));
  }),

  testCase('a definition that serves nothing is deleted with its objects', async (api) => {
    const { at, value, definition } = await serve(api, ...both);
    await api.post(at('v1'), value('a', 'v1', {}));
    await redefine(
      api,
      definition,
      storing(both, 'v1').map((each) => ({ ...each, served: false })),
    );
    await api.eventually(at('v1'), (_, status) => status === 404);
    await api.delete(definition);
    await api.eventually(definition, (_, status) => status === 404);
  }),

  testCase('a deprecated version warns whoever uses it', async (api) => {
    const { at, value } = await serve(
      api,
      version('v1', { color: text }),
      version('v1beta1', { color: text }, { deprecated: true }),
      version('v1alpha1', { color: text }, { deprecated: true, deprecationWarning: 'use v1 instead' }),
    );
    for (const name of ['v1', 'v1beta1', 'v1alpha1']) {
      await api.post(at(name), value(`a-${name}`, name, {}));
      await api.get(`${at(name)}/a-${name}`);
      await api.get(at(name));
      await api.get(`${at(name)}/none`);
    }
  }),

  testCase('what an object owns goes with it, whichever version the owner is named in', async (api) => {
    const { at, value, group } = await serve(api, ...both);
    const owner = await api.post(at('v1'), value('owner', 'v1', {}));
    for (const name of ['v1', 'v1beta1']) {
      const ownerReferences = [ownerReference({ ...owner, apiVersion: `${group}/${name}` })];
      await api.post('configmaps', configMap(name, {}, { ownerReferences }));
      await api.post(at('v1beta1'), value(name, 'v1beta1', {}, { ownerReferences }));
    }
    await api.delete(`${at('v1beta1')}/owner`);
    for (const name of ['v1', 'v1beta1']) {
      await api.eventually(`configmaps/${name}`, (_, status) => status === 404);
      await api.eventually(`${at('v1')}/${name}`, (_, status) => status === 404);
    }
  }),

  testCase('a webhook for one version is asked about the others in it', async (api) => {
    const { at, value, group } = await serve(
      api,
      version('v1', { color: text, size: integer }),
      version('v1beta1', { color: text, size: integer }),
    );
    const rules = (apiVersion: string) => [
      { operations: ['CREATE', 'UPDATE'], apiGroups: [group], apiVersions: [apiVersion], resources: ['values'] },
    ];
    await api.hooks.create(
      'mutating',
      'm',
      { answer: 'add-spec-field', rules: rules('v1'), ...selecting('mutate') },
      { answer: 'allow', rules: rules('v1'), matchPolicy: 'Exact', ...selecting('exact') },
    );
    await api.post(at('v1beta1'), value('a', 'v1beta1', { color: 'red' }, selected('mutate')));
    await api.post(at('v1beta1'), value('b', 'v1beta1', { color: 'red' }, selected('exact')));
    await api.hooks.received();
  }),

  testCase('versions have names that are allowed, schemas, and warnings only when deprecated', async (api) => {
    const post = (...versions: readonly Version[]) =>
      api.post(
        definitions,
        { ...definitionOf(api, both), spec: { ...definitionOf(api, both).spec, versions } },
        { dryRun: 'All' },
      );
    await post(version('V1', { color: text }, { storage: true }));
    await post(version('v1', { color: text }, { storage: true, deprecationWarning: 'old' }));
    await post(
      version('v1', { color: text }, { storage: true, deprecated: true, deprecationWarning: 'x'.repeat(257) }),
    );
    await post(version('v1', { color: text }, { storage: true }), { name: 'v2', served: true, storage: false });
  }),
];
