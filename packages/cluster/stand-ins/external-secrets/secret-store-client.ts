// SPDX-License-Identifier: Apache-2.0
import { Namespace } from '@forge/kube/kinds/builtin.ts';
import { ClusterSecretStore } from '@forge/kube/third-party/external-secrets.ts';
import type { ReconcileContext } from '@forge/runtime/controller/controller.ts';
import type { VaultClient, Vaults } from './vault.ts';

/** A reference to a store. */
export interface StoreRef {
  kind?: string;
  name?: string;
}

/** The store of a reference; throws when it does not exist. */
export function storeOf(
  { kind = 'SecretStore', name = '' }: StoreRef,
  { cache }: ReconcileContext,
): ClusterSecretStore {
  if (kind !== ClusterSecretStore.kind) throw notFound(kind, name);
  const store = cache.get(ClusterSecretStore, { name });
  if (store === undefined) throw notFound(kind, name);
  return store;
}

function notFound(kind: string, name: string): Error {
  return new Error(`could not get ${kind} "${name}", ${kind}.external-secrets.io "${name}" not found`);
}

/** Uses a session with the store's server, if the store's conditions allow the namespace. */
export async function inSession<T>(
  { namespace, store, vaults }: { namespace: string; store: ClusterSecretStore; vaults: Vaults },
  context: ReconcileContext,
  use: (session: VaultClient) => Promise<T>,
): Promise<T> {
  if (!(await admits(store, namespace, context))) {
    throw new Error(
      `using cluster store "${store.metadata.name}" is not allowed from namespace "${namespace}": denied by spec.condition`,
    );
  }
  const session = await vaults.connect(store);
  try {
    return await use(session);
  } finally {
    await session.close().catch(() => undefined);
  }
}

async function admits({ spec }: ClusterSecretStore, namespace: string, { client }: ReconcileContext): Promise<boolean> {
  const { conditions = [] } = spec;
  if (conditions.length === 0) return true;
  const selects = conditions.some(({ namespaceSelector }) => namespaceSelector !== undefined);
  const labels = selects ? ((await client.find(Namespace, { name: namespace }))?.metadata.labels ?? {}) : {};
  return conditions.some(({ namespaces = [], namespaceRegexes = [], namespaceSelector }) => {
    const wanted = Object.entries(namespaceSelector?.matchLabels ?? {});
    return (
      namespaces.includes(namespace) ||
      namespaceRegexes.some((pattern) => new RegExp(pattern).test(namespace)) ||
      (wanted.length > 0 && wanted.every(([key, value]) => labels[key] === value))
    );
  });
}

/** The KV mount of a store. */
export function mountOf({ spec }: ClusterSecretStore): string | undefined {
  return spec.provider.vault?.path;
}
