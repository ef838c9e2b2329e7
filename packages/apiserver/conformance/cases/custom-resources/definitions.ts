// SPDX-License-Identifier: Apache-2.0
import type { CustomResourceDefinition } from '@forge/kube/kinds/builtin.ts';
import { testCase, type ConformanceCase } from '../../conversation/conformance-case.ts';
import type { Conversation } from '../../conversation/conversation.ts';

const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const openAPIV3Schema = { type: 'object', properties: { spec: { type: 'object' } } };
const v1 = { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema } };

/** A minimal definition in the case's own group. */
function definition({ namespace }: Conversation, spec: object = {}) {
  const group = `${namespace}.example.com`;
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `things.${group}` },
    spec: { group, scope: 'Namespaced', names: { plural: 'things', kind: 'Thing' }, versions: [v1], ...spec },
  };
}

/** Tries to create a definition whose only version has this schema. */
async function refuseSchemas(api: Conversation, ...schemas: object[]): Promise<void> {
  for (const schema of schemas) {
    await api.post(path, definition(api, { versions: [{ ...v1, schema: { openAPIV3Schema: schema } }] }));
  }
}

/** A schema of objects whose spec has this schema. */
function inside(spec: object) {
  return { type: 'object', properties: { spec } };
}

function isEstablished({ status }: CustomResourceDefinition): boolean {
  return status?.conditions?.some(({ type, status: is }) => type === 'Established' && is === 'True') ?? false;
}

/** CustomResourceDefinitions as objects. */
export const definitions: readonly ConformanceCase[] = [
  testCase('a definition is created with its defaults', async (api) => {
    await api.post(path, definition(api), { dryRun: 'All' });
    const names = { plural: 'things', kind: 'Thing', shortNames: ['th'], categories: ['all'] };
    const additionalPrinterColumns = [{ name: 'Size', type: 'integer', jsonPath: '.spec.size' }];
    const versions = [{ ...v1, additionalPrinterColumns, subresources: { status: {} } }];
    await api.post(path, definition(api, { scope: 'Cluster', names, versions }), { dryRun: 'All' });
  }),

  testCase('a definition is named after its resource and group', async (api) => {
    await api.post(path, { ...definition(api), metadata: { name: 'things' } });
    await api.post(path, definition(api, { group: 'No_Name' }));
    await api.post(path, definition(api, { names: {}, scope: 'Everywhere' }));
    await api.post(path, definition(api, { names: { plural: 'things', kind: 'No_Kind', listKind: 'No_Kind' } }));
    await api.post(path, definition(api, { names: { plural: 'things', kind: 'Thing', shortNames: ['No_Name'] } }));
  }),

  testCase(
    'a definition in a group of the Kubernetes community needs an approval, or a word that it has none',
    async (api) => {
      const group = `${api.namespace}.k8s.io`;
      const approval = 'api-approved.kubernetes.io';
      const post = (annotations: Record<string, string>) => {
        const metadata = { name: `things.${group}`, annotations };
        return api.post(path, { ...definition(api, { group }), metadata }, { dryRun: 'All' });
      };
      await post({});
      await post({ [approval]: 'yes' });
      await post({ [approval]: '' });
      await post({ [approval]: 'unapproved, for a test' });
      await post({ [approval]: 'https://example.com/approval' });
      for (const other of [`${api.namespace}-k8s.io`, `${api.namespace}.k8s.io.example.com`]) {
        const metadata = { name: `things.${other}` };
        await api.post(path, { ...definition(api, { group: other }), metadata }, { dryRun: 'All' });
      }
    },
  ),

  testCase('a definition stores one version', async (api) => {
    const v2 = { ...v1, name: 'v2' };
    await api.post(path, definition(api, { versions: [] }));
    await api.post(path, definition(api, { versions: [v1, v2] }));
    await api.post(path, definition(api, { versions: [{ ...v1, storage: false }] }));
    await api.post(path, definition(api, { versions: [v1, { ...v1, storage: false }] }));
    await api.post(path, definition(api, { versions: [{ ...v1, name: 'First' }] }));
    await api.post(path, definition(api, { versions: [{ ...v1, schema: undefined }] }));
    const additionalPrinterColumns = [{ name: '', type: 'color', jsonPath: 'spec.size' }];
    await api.post(path, definition(api, { versions: [{ ...v1, additionalPrinterColumns }] }));
    const subresources = { scale: { specReplicasPath: 'spec', statusReplicasPath: '.replicas' } };
    await api.post(path, definition(api, { versions: [{ ...v1, subresources }] }));
  }),

  testCase('the schema of a definition is structural', async (api) => {
    await refuseSchemas(
      api,
      {},
      { type: 'string' },
      inside({}),
      inside({ type: 'array' }),
      inside({ type: 'text' }),
      inside({ type: 'object', properties: { a: { type: 'string' } }, additionalProperties: { type: 'string' } }),
      inside({ type: 'integer', default: 'one' }),
      inside({ type: 'array', items: { type: 'object' }, 'x-kubernetes-list-type': 'map' }),
      inside({ type: 'object', uniqueItems: true }),
      inside({ type: 'object', 'x-kubernetes-preserve-unknown-fields': false }),
      inside({ anyOf: [{ type: 'integer' }, { type: 'string' }] }),
      { type: 'object', properties: { metadata: { type: 'object', properties: { labels: { type: 'object' } } } } },
    );
  }),

  testCase('what a definition is stored under may not change', async (api) => {
    const created = await api.post<CustomResourceDefinition>(path, definition(api));
    const place = `${path}/${created.metadata.name}`;
    await api.eventually<CustomResourceDefinition>(place, isEstablished);
    const change = (spec: object) => api.patch('merge', place, { spec });
    await change({ scope: 'Cluster' });
    await change({ group: 'example.org' });
    await change({ names: { kind: 'Other', plural: 'others' } });
    await change({ names: { shortNames: ['th'] } });
    await change({ versions: [{ ...v1, name: 'v2' }] });
  }),
];
