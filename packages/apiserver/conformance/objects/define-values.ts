// SPDX-License-Identifier: Apache-2.0
import type { Conversation } from '../conversation/conversation.ts';

/** Path of CustomResourceDefinitions. */
export const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

/** A definition of the kind Value in the case's own group, with these schema properties. */
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

/** Creates the definition and waits until it is served; returns the path and a constructor of values. */
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
