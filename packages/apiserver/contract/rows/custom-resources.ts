// SPDX-License-Identifier: Apache-2.0
import type { KubeObject } from '@forge/kube/object.ts';
import type { Conversation } from '../conversation.ts';
import { row, type Row } from '../row.ts';

interface Definition extends KubeObject {
  status?: { conditions?: { type: string; status: string }[] };
}

/** A definition of widgets in a group of the row's own. */
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

const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

function isEstablished({ status }: Definition): boolean {
  return status?.conditions?.some(({ type, status: is }) => type === 'Established' && is === 'True') ?? false;
}

/** Makes widgets known; gives the path of their collection and what a widget is made of. */
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

/** Custom resource definitions and what they define. */
export const customResources: readonly Row[] = [
  row('a definition becomes established', async (api) => {
    await establish(api);
  }),

  row('custom resources are pruned, defaulted and validated', async (api) => {
    const { path, widget } = await establish(api);
    await api.post(path, widget('a', { color: 'red', unknown: true }));
    await api.post(path, widget('b', { size: 0 }));
    await api.post(path, widget('c', { size: 'big' }));
    await api.post(path, widget('d', { unknown: true }), { fieldValidation: 'Strict' });
  }),

  row('the status of a custom resource is written apart', async (api) => {
    const { path, widget } = await establish(api);
    const created = await api.post(path, { ...widget('a', { size: 1 }), status: { ready: true } });
    await api.put(`${path}/a/status`, { ...created, spec: { size: 9 }, status: { ready: true } });
    await api.patch('merge', `${path}/a`, { spec: { size: 2 }, status: { ready: false } });
  }),

  row('a definition takes its resources along', async (api) => {
    const { path, widget, crdPath } = await establish(api);
    await api.post(path, widget('a', {}));
    await api.delete(crdPath);
    await api.eventually(crdPath, (_, status) => status === 404);
    await api.eventually(path, (_, status) => status === 404);
  }),
];
