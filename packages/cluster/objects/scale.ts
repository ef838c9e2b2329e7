// SPDX-License-Identifier: Apache-2.0
import type { Client } from '@forge/kube/client/client.ts';
import { builtinKinds, CustomResourceDefinition } from '@forge/kube/kinds/builtin.ts';
import type { Kind } from '@forge/kube/kinds/kind.ts';
import type { KubeObject, ObjectRef } from '@forge/kube/objects/object.ts';

/** The scale subresource of an object. */
export interface Scale extends KubeObject {
  spec?: { replicas?: number };
  status?: { replicas: number; selector?: string };
}

/** The kind with this name in any version of the group, built-in or by a CRD; undefined when there is none. */
export async function findKind(client: Client, group: string, name: string): Promise<Kind | undefined> {
  const builtin = builtinKinds.find((kind) => kind.group === group && kind.kind === name);
  if (builtin !== undefined) return builtin;
  const { items } = await client.list(CustomResourceDefinition);
  const definition = items.find(({ spec }) => spec.group === group && spec.names.kind === name);
  const served = definition?.spec.versions.find((version) => version.served);
  if (definition === undefined || served === undefined) return undefined;
  const { names, scope } = definition.spec;
  return {
    group,
    version: served.name,
    kind: name,
    plural: names.plural,
    singular: names.singular ?? names.plural,
    scope: scope === 'Cluster' ? 'Cluster' : 'Namespaced',
    apiVersion: `${group}/${served.name}`,
    shortNames: names.shortNames ?? [],
    categories: names.categories ?? [],
    schema: {},
    subresources: served.subresources?.scale === undefined ? ['status'] : ['status', 'scale'],
    printerColumns: [],
  };
}

/** The scale of an object; undefined when the object does not exist. */
export function findScale(client: Client, kind: Kind, ref: ObjectRef): Promise<Scale | undefined> {
  return client.find(kind, ref, { subresource: 'scale' });
}
