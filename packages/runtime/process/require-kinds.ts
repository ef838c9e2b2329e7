// SPDX-License-Identifier: Apache-2.0
import type { Client } from '@forge/kube/client/client.ts';
import { isApiError } from '@forge/kube/errors/api-error.ts';
import { resourceName, type Kind } from '@forge/kube/kinds/kind.ts';

/** Rejects when a required kind is not installed, instead of waiting for it silently. */
export async function requireKinds(
  { name, kinds, requires = [] }: { name: string; kinds: readonly Kind[]; requires?: readonly Kind[] },
  namespace: string,
  api: Client,
): Promise<void> {
  async function require(kind: Kind, remedy: string): Promise<void> {
    try {
      await api.list(kind, { limit: 1, ...(namespace !== '' && { namespace }) });
    } catch (error) {
      if (!isApiError(error, 'NotFound')) throw error;
      throw new Error(`${resourceName(kind)} is not installed: ${remedy}`, { cause: error });
    }
  }

  await Promise.all([
    ...kinds.map((kind) => require(kind, `apply the CustomResourceDefinition of ${name} first`)),
    ...requires.map((kind) => require(kind, `${name} requires it; install the operator that provides it first`)),
  ]);
}
