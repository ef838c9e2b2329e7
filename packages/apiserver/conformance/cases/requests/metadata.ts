// SPDX-License-Identifier: Apache-2.0
import type { KubeObject } from '@forge/kube/objects/object.ts';
import { as, grant } from '../../conversation/callers.ts';
import { testCase, type ConformanceCase } from '../../conversation/conformance-case.ts';
import type { Conversation } from '../../conversation/conversation.ts';
import { defineValues, definitions } from '../../objects/define-values.ts';
import { minimalObjects } from '../../objects/minimal-objects.ts';
import { configMap, deployment, ownerReference } from '../../objects/objects.ts';

const foreign = '00000000-0000-4000-8000-000000000000';
const text = { type: 'string' };
const values = { spec: { type: 'object', properties: { color: text } } };
const withStatus = { subresources: { status: {} } };

/** Writes an object with this metadata in every possible way: an update, the patches, an apply. */
async function writeMetadata(api: Conversation, path: string, object: KubeObject, metadata: object): Promise<void> {
  const {
    apiVersion,
    kind,
    metadata: { name, resourceVersion },
  } = object;
  await api.put(path, { ...object, metadata: { name, resourceVersion, ...metadata } }, { dryRun: 'All' });
  await api.patch('merge', path, { metadata }, { dryRun: 'All' });
  await api.patch(
    'json',
    path,
    Object.entries(metadata).map(([field, value]) => ({
      op: 'add',
      path: `/metadata/${field}`,
      value: value as unknown,
    })),
    { dryRun: 'All' },
  );
  if (!apiVersion.includes('example.com')) await api.patch('strategic', path, { metadata }, { dryRun: 'All' });
  await api.apply(path, 'alice', { apiVersion, kind, metadata: { name, ...metadata } }, { dryRun: 'All' });
}

/** Deletes an object that a finalizer keeps. */
async function terminating(api: Conversation, path: string, object: object): Promise<KubeObject> {
  const { metadata } = object as KubeObject;
  await api.post(path, { ...object, metadata: { ...metadata, finalizers: ['example.com/hold'] } });
  await api.delete(`${path}/${metadata.name}`);
  return api.get(`${path}/${metadata.name}`);
}

const fields: Readonly<Record<string, unknown>> = {
  uid: foreign,
  creationTimestamp: '2020-01-01T00:00:00Z',
  deletionTimestamp: '2020-01-01T00:00:00Z',
  deletionGracePeriodSeconds: 7,
  generation: 7,
  selfLink: '/a',
  generateName: 'A_',
  resourceVersion: '1',
};

/** A rule about leases. */
function leases(...verbs: readonly string[]) {
  return { apiGroups: ['coordination.k8s.io'], resources: ['leases'], verbs };
}

/** Metadata that only the server sets, and validation of metadata. */
export const metadataCases: readonly ConformanceCase[] = [
  testCase('a foreign uid is refused, however it is written', async (api) => {
    const created = await api.post('configmaps', configMap('a'));
    await writeMetadata(api, 'configmaps/a', created, { uid: foreign });
    await writeMetadata(api, 'configmaps/a', created, { uid: created.metadata.uid });
    await writeMetadata(api, 'configmaps/a', created, { uid: '' });
    await api.apply('configmaps/none', 'alice', configMap('none', {}, { uid: foreign }));
    await api.get('configmaps/a');
  }),

  testCase('a foreign uid is refused where only a status is written', async (api) => {
    const created = await api.post('apps/v1/deployments', deployment('a'));
    await writeMetadata(api, 'apps/v1/deployments/a/status', created, { uid: foreign });
    await writeMetadata(
      api,
      'apps/v1/deployments/a/scale',
      { apiVersion: 'autoscaling/v1', kind: 'Scale', metadata: created.metadata },
      { uid: foreign },
    );
  }),

  testCase('a custom resource keeps its uid', async (api) => {
    const { path, value } = await defineValues(api, values, withStatus);
    const created = await api.post(path, value('a', { color: 'red' }));
    await writeMetadata(api, `${path}/a`, created, { uid: foreign });
    await writeMetadata(api, `${path}/a/status`, created, { uid: foreign });
    await writeMetadata(api, `${path}/a`, created, { uid: created.metadata.uid });
  }),

  ...Object.entries(fields).map(([field, value]) =>
    testCase(`metadata.${field} is the server's`, async (api) => {
      const { path, value: custom } = await defineValues(api, values, withStatus);
      const metadata = { [field]: value };
      for (const [where, object] of [
        ['configmaps', configMap('a')],
        ['apps/v1/deployments', deployment('a')],
        [path, custom('a', { color: 'red' })],
      ] as const) {
        await api.post(where, { ...object, metadata: { name: 'b', ...metadata } });
        const created = await api.post(where, object);
        await writeMetadata(api, `${where}/a`, created, metadata);
      }
      await writeMetadata(api, 'configmaps/b', await terminating(api, 'configmaps', configMap('c')), metadata);
    }),
  ),

  testCase('an object that is being deleted goes on being deleted', async (api) => {
    const { path, value } = await defineValues(api, values);
    for (const [where, object] of [
      ['configmaps', configMap('a')],
      [path, value('a', {})],
    ] as const) {
      const found = await terminating(api, where, object);
      for (const metadata of [
        { deletionTimestamp: null },
        { deletionGracePeriodSeconds: null },
        { deletionGracePeriodSeconds: 7 },
        { finalizers: ['example.com/hold', 'example.com/more'] },
      ]) {
        await writeMetadata(api, `${where}/a`, found, { finalizers: ['example.com/hold'], ...metadata });
      }
    }
  }),

  testCase('a finalizer has a name that is allowed for its kind', async (api) => {
    const { path, value } = await defineValues(api, values);
    const names = [
      'bare',
      'example.com/ok',
      'example.com/',
      '/x',
      'a b',
      'kubernetes',
      'orphan',
      'example.com/a/b',
      'dotted.name',
      '',
    ];
    for (const [where, object] of [
      ['configmaps', configMap('a')],
      ['apps/v1/deployments', deployment('a')],
      [path, value('a', {})],
    ] as const) {
      for (const finalizer of names) {
        const finalizers = [finalizer];
        await api.post(where, { ...object, metadata: { name: 'a', finalizers } }, { dryRun: 'All' });
      }
      await api.post(where, object);
      await api.patch('merge', `${where}/a`, { metadata: { finalizers: ['bare', 'a b', 'example.com/ok'] } });
      await api.patch('merge', `${where}/a`, { metadata: { finalizers: ['foregroundDeletion', 'orphan'] } });
    }
  }),

  testCase('finalizers of every kind have names that are allowed there', async (api) => {
    for (const { path, object } of minimalObjects(api.namespace)) {
      const metadata = {
        ...(object['metadata'] as object),
        finalizers: ['bare', 'a b', 'foregroundDeletion', 'orphan'],
      };
      await api.post(path, { ...object, metadata }, { dryRun: 'All' });
    }
  }),

  testCase('changed metadata of every kind are checked for all kinds alike and for each', async (api) => {
    for (const { path, object, kind } of minimalObjects(api.namespace)) {
      // The selector of a job depends on its uid, and would be invalid too.
      if (kind.kind === 'Job') continue;
      const { name } = object['metadata'] as { name: string };
      await api.post(path, object);
      const wrong = { generateName: 'A_', finalizers: ['bare', 'a b'], labels: { 'no label!': 'a' }, uid: foreign };
      await api.patch('merge', `${path}/${name}`, { metadata: wrong }, { dryRun: 'All' });
    }
  }),

  testCase('names of every kind are what is allowed there', async (api) => {
    for (const { path, object, kind } of minimalObjects(api.namespace)) {
      // The name of a job is also a label of its pods.
      if (kind.kind === 'Job') continue;
      for (const name of [
        'Upper_case',
        '1.a',
        'a..b',
        'a/b',
        'a:b',
        '-a',
        '.',
        'a%b',
        'x'.repeat(64),
        'y'.repeat(254),
      ]) {
        await api.post(path, { ...object, metadata: { name } }, { dryRun: 'All' });
      }
    }
  }),

  testCase('events have names and namespaces of their own rules', async (api) => {
    const event = (name: string, more: object = {}) => ({
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { name },
      involvedObject: { namespace: api.namespace },
      ...more,
    });
    for (const name of ['a', 'Upper_case', 'a b', 'a/b', '..', 'a%b', 'ü', '']) await api.post('events', event(name));
    await api.post('events', event('b', { involvedObject: {} }));
    await api.post('events', event('b', { involvedObject: { namespace: 'elsewhere' } }));
    await api.put('events/a', event('a', { reason: 'Changed' }));
    await api.put('events/created', event('created'));
  }),

  testCase('owners are named in full', async (api) => {
    const owner = await api.post('configmaps', configMap('owner'));
    const reference = ownerReference(owner);
    for (const more of [
      { apiVersion: '' },
      { apiVersion: 'apps/' },
      { apiVersion: 'a/b/c' },
      { kind: '' },
      { name: '' },
      { uid: '' },
      { apiVersion: '', kind: '', name: '', uid: '' },
      { kind: 'Event' },
    ]) {
      const ownerReferences = [{ ...reference, ...more }];
      await api.post('configmaps', configMap('a', {}, { ownerReferences }), { dryRun: 'All' });
      await api.patch('merge', 'configmaps/owner', { metadata: { ownerReferences } }, { dryRun: 'All' });
    }
    const controllers = ['x', 'y', 'z'].map((name) => ({ ...reference, name, controller: true }));
    await api.post('configmaps', configMap('a', {}, { ownerReferences: controllers }), { dryRun: 'All' });
  }),

  testCase('managers of fields are told as they should be', async (api) => {
    const created = await api.post('configmaps', configMap('a'));
    const [entry] = created.metadata.managedFields ?? [];
    for (const more of [
      { operation: 'Delete' },
      { operation: '' },
      { fieldsType: 'FieldsV2' },
      { fieldsType: '' },
      { manager: 'x'.repeat(129) },
      { manager: 'a\tb' },
      { subresource: 'x'.repeat(257) },
      { fieldsV1: { wrong: {} } },
      { apiVersion: 'a/b/c' },
      { time: null },
    ]) {
      const managedFields = [{ ...entry, ...more }];
      await api.post('configmaps', configMap('b', {}, { managedFields: managedFields as never }), { dryRun: 'All' });
      await api.patch('merge', 'configmaps/a', { metadata: { managedFields } }, { dryRun: 'All' });
    }
  }),

  testCase('an update without a version overwrites some kinds and is refused by others', async (api) => {
    for (const { path, object, kind } of minimalObjects(api.namespace)) {
      // An update of a job must contain its generated selector.
      if (kind.kind === 'Job') continue;
      const { name } = object['metadata'] as { name: string };
      await api.post(path, object);
      await api.put(`${path}/${name}`, object, { dryRun: 'All' });
      await api.put(`${path}/${name}`, { ...object, metadata: { name, resourceVersion: '0' } }, { dryRun: 'All' });
      await api.put(`${path}/${name}`, { ...object, metadata: { name, resourceVersion: 'old' } }, { dryRun: 'All' });
      await api.patch('merge', `${path}/${name}`, { metadata: { resourceVersion: '' } }, { dryRun: 'All' });
    }
  }),

  testCase('an update creates what is not there, in some kinds', async (api) => {
    for (const { path, object } of minimalObjects(api.namespace)) {
      const { name } = object['metadata'] as { name: string };
      await api.put(`${path}/${name}`, object, { dryRun: 'All' });
    }
    const lease = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: { name: 'a' } };
    const where = 'coordination.k8s.io/v1/leases/a';
    await api.put(where, { ...lease, metadata: { name: 'a', uid: foreign } });
    await api.put(where, { ...lease, metadata: { name: 'a', resourceVersion: '7' } });
    await api.put(where, { ...lease, metadata: { name: 'b' } });
    await api.put('coordination.k8s.io/v1/leases/A_', { ...lease, metadata: { name: 'A_' } });
    await api.put(where, lease);
    await api.put(where, lease);
    await api.get(where);
  }),

  testCase('who updates what is not there must be allowed to create it', async (api) => {
    await grant(api, 'updater', 'jane', leases('update'));
    await grant(api, 'creator', 'john', leases('update', 'create'));
    await api.catchUp();
    const lease = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: { name: 'a' } };
    await api.put('coordination.k8s.io/v1/leases/a', lease, {}, as('jane'));
    await api.put('coordination.k8s.io/v1/leases/a', lease, {}, as('john'));
  }),

  testCase('a definition is not updated without its version', async (api) => {
    await defineValues(api, values, withStatus);
    const path = `${definitions}/values.${api.namespace}.example.com`;
    const found = await api.get(path);
    const { resourceVersion: _, ...metadata } = found.metadata;
    await api.put(path, { ...found, metadata });
    await api.put(`${path}/status`, { ...found, metadata });
    await api.put(`${path}-none`, { ...found, metadata: { ...metadata, name: `${metadata.name}-none` } });
  }),

  testCase('a terminating definition takes no new resources', async (api) => {
    const { path, value } = await defineValues(api, values, withStatus);
    const held = value('a', { color: 'red' });
    await api.post(path, { ...held, metadata: { name: 'a', finalizers: ['example.com/hold'] } });
    const definition = `${definitions}/values.${api.namespace}.example.com`;
    await api.delete(definition);
    await api.eventually<{ status?: { conditions?: { type: string; status: string }[] } }>(definition, ({ status }) =>
      (status?.conditions ?? []).some((each) => each.type === 'Terminating' && each.status === 'True'),
    );
    await api.eventually(`${path}/a`, ({ metadata }) => metadata.deletionTimestamp !== undefined);
    await api.catchUp();
    await api.post(path, value('b', {}));
    await api.post(path, value('b', {}), { dryRun: 'All' });
    await api.post(path, value('a', {}));
    await api.apply(`${path}/b`, 'alice', value('b', {}));
    await api.apply(`${path}/a`, 'alice', value('a', { color: 'blue' }));
    await api.patch('merge', `${path}/a`, { spec: { color: 'green' } });
    await api.patch('merge', `${path}/a/status`, { status: {} });
    await api.get(path);
    await api.patch('merge', `${path}/a`, { metadata: { finalizers: null } });
    await api.eventually(definition, (_, status) => status === 404);
    await api.post(path, value('b', {}));
  }),
];
