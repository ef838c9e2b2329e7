// SPDX-License-Identifier: Apache-2.0
import { isApiError } from '@forge/kube/errors/api-error.ts';
import { builtinKinds, Event } from '@forge/kube/kinds/builtin.ts';
import type { Kind } from '@forge/kube/kinds/kind.ts';
import type { KubeObject } from '@forge/kube/objects/object.ts';
import { PushSecret } from '@forge/kube/third-party/external-secrets.ts';
import { Database, Grant, User } from '@forge/kube/third-party/mariadb.ts';
import type { LocalKeystones } from './local-keystones.ts';

const kinds: readonly Kind[] = [...builtinKinds, Database, User, Grant, PushSecret];

/** Kinds and names of all objects that exist for a Keystone, pods and endpoints included; without Events. */
export async function ownedObjects(
  { client }: LocalKeystones,
  { namespace, name }: { namespace: string; name: string },
): Promise<string[]> {
  const isOwned = ({ metadata }: KubeObject) =>
    metadata.labels?.['app.kubernetes.io/instance'] === name &&
    metadata.labels['app.kubernetes.io/name']?.startsWith('keystone') === true;
  const lists = kinds
    .filter(({ kind, scope }) => scope === 'Namespaced' && kind !== Event.kind)
    .map(async (kind) => {
      try {
        const { items } = await client.list(kind, { namespace });
        return items.filter(isOwned).map(({ metadata }) => `${kind.kind} ${metadata.name}`);
      } catch (error) {
        // Some kinds, such as Binding, are never stored.
        if (isApiError(error, 'MethodNotAllowed') || isApiError(error, 'NotFound')) return [];
        throw error;
      }
    });
  return (await Promise.all(lists)).flat().toSorted();
}
