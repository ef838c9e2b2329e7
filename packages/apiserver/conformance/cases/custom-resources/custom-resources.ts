// SPDX-License-Identifier: Apache-2.0
import type { KubeObject } from '@forge/kube/objects/object.ts';
import { testCase, type ConformanceCase } from '../../conversation/conformance-case.ts';
import type { Conversation } from '../../conversation/conversation.ts';
import { defineValues, definitions, valueDefinition } from '../../objects/define-values.ts';

interface Definition extends KubeObject {
  status?: { conditions?: { type: string; status: string }[] };
}

/** A definition of widgets in a group of the case's own. */
function definition({ namespace }: Conversation) {
  const group = `${namespace}.example.com`;
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `widgets.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList' },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          subresources: { status: {} },
          schema: {
            openAPIV3Schema: {
              type: 'object',
              properties: {
                spec: {
                  type: 'object',
                  properties: { size: { type: 'integer', minimum: 1, default: 3 }, color: { type: 'string' } },
                },
                status: { type: 'object', properties: { ready: { type: 'boolean' } } },
              },
            },
          },
        },
      ],
    },
  };
}

function isEstablished({ status }: Definition): boolean {
  return status?.conditions?.some(({ type, status: is }) => type === 'Established' && is === 'True') ?? false;
}

/** Creates the definition of widgets; returns the path of their collection and a constructor of widgets. */
async function establish(api: Conversation) {
  const crd = definition(api);
  await api.post(definitions, crd);
  await api.eventually<Definition>(`${definitions}/${crd.metadata.name}`, isEstablished);
  const { group } = crd.spec;
  // A definition is established a moment before its path is served.
  await api.eventually(`${group}/v1/widgets`, (_, status) => status === 200);
  const widget = (name: string, spec: unknown) => ({
    apiVersion: `${group}/v1`,
    kind: 'Widget',
    metadata: { name },
    spec,
  });
  return { path: `${group}/v1/widgets`, crdPath: `${definitions}/${crd.metadata.name}`, widget };
}

/** Defines values with a scale subresource on custom field names. */
function defineScaled(api: Conversation, labelSelectorPath?: string) {
  const count = { type: 'integer', minimum: 0 };
  const scale = { specReplicasPath: '.spec.members.count', statusReplicasPath: '.status.count' };
  return defineValues(
    api,
    {
      spec: { type: 'object', properties: { members: { type: 'object', properties: { count } } } },
      status: { type: 'object', properties: { count, selector: { type: 'string' } } },
    },
    {
      subresources: { status: {}, scale: { ...scale, ...(labelSelectorPath !== undefined && { labelSelectorPath }) } },
    },
  );
}

/** Custom resource definitions and what they define. */
export const customResources: readonly ConformanceCase[] = [
  testCase('a definition becomes established', async (api) => {
    await establish(api);
  }),

  testCase('custom resources are pruned, defaulted and validated', async (api) => {
    const { path, widget } = await establish(api);
    await api.post(path, widget('a', { color: 'red', unknown: true }));
    await api.post(path, widget('b', { size: 0 }));
    await api.post(path, widget('c', { size: 'big' }));
    await api.post(path, widget('d', { unknown: true }), { fieldValidation: 'Strict' });
  }),

  testCase('the status of a custom resource is written apart', async (api) => {
    const { path, widget } = await establish(api);
    const created = await api.post(path, { ...widget('a', { size: 1 }), status: { ready: true } });
    await api.put(`${path}/a/status`, { ...created, spec: { size: 9 }, status: { ready: true } });
    await api.patch('merge', `${path}/a`, { spec: { size: 2 }, status: { ready: false } });
  }),

  testCase('a definition takes its resources along', async (api) => {
    const { path, widget, crdPath } = await establish(api);
    await api.post(path, widget('a', {}));
    await api.delete(crdPath);
    await api.eventually(crdPath, (_, status) => status === 404);
    await api.eventually(path, (_, status) => status === 404);
  }),

  testCase('the scale of a custom resource is where its definition says', async (api) => {
    const { path, value } = await defineScaled(api, '.status.selector');
    const created = await api.post(path, value('a', { members: { count: 2 } }));
    await api.put(`${path}/a/status`, { ...created, status: { count: 1, selector: 'app=a' } });
    const scale = await api.get(`${path}/a/scale`);
    await api.put(`${path}/a/scale`, { ...scale, spec: { replicas: 3 } });
    await api.put(`${path}/a/scale`, { ...scale, spec: { replicas: 4 } });
    await api.patch('merge', `${path}/a/scale`, { spec: { replicas: 5 }, status: { replicas: 5 } });
    await api.patch('json', `${path}/a/scale`, [{ op: 'replace', path: '/spec/replicas', value: -1 }]);
    await api.get(`${path}/a`);
    await api.get(`/apis/${api.namespace}.example.com/v1`);
    await api.get(`${path}/b/scale`);
    await api.delete(`${path}/a/scale`);
  }),

  testCase('a scale needs the replicas of a custom resource', async (api) => {
    const { path, value } = await defineScaled(api);
    await api.post(path, value('a', {}));
    await api.get(`${path}/a/scale`);
    await api.patch('merge', `${path}/a/scale`, { metadata: {} });
    await api.patch('merge', `${path}/a/scale`, { spec: { replicas: 1 } });
    await api.patch('merge', `${path}/a/scale`, { spec: { replicas: null } });
    await api.get(`${path}/a`);
  }),

  testCase('the paths of a scale lead into spec and status', async (api) => {
    const good = { specReplicasPath: '.spec.count', statusReplicasPath: '.status.count' };
    const scales = [
      { specReplicasPath: '', statusReplicasPath: '' },
      { ...good, specReplicasPath: '.status.count' },
      { ...good, specReplicasPath: '.spec.counts[0]' },
      { ...good, statusReplicasPath: 'status.count' },
      { ...good, labelSelectorPath: '.metadata.labels' },
      { ...good, labelSelectorPath: 'x' },
      { ...good, labelSelectorPath: '' },
    ];
    for (const scale of scales) {
      await api.post(definitions, valueDefinition(api, {}, { subresources: { scale } }), { dryRun: 'All' });
    }
  }),
];
