// SPDX-License-Identifier: Apache-2.0
import type { Conversation } from '../conversation/conversation.ts';

/** Where definitions of custom resources are. */
export const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

/** A definition of values in a group of the row's own, whose schema has these properties. */
export function valueDefinition({ namespace }: Conversation, properties: object, version: object = {}) {
  const group = `${namespace}.example.com`;
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `values.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { plural: 'values', singular: 'value', kind: 'Value', listKind: 'ValueList' },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: 'object', properties } },
          ...version,
        },
      ],
    },
  };
}

/** Defines values and waits until they are served; gives their path and what a value is made of. */
export async function defineValues(api: Conversation, properties: object, version?: object) {
  const definition = valueDefinition(api, properties, version);
  await api.post(definitions, definition);
  const { group } = definition.spec;
  const path = `${group}/v1/values`;
  await api.eventually(path, (_, status) => status === 200);
  const value = (name: string, spec: unknown) => ({
    apiVersion: `${group}/v1`,
    kind: 'Value',
    metadata: { name },
    spec,
  });
  return { path, value };
}
