// SPDX-License-Identifier: Apache-2.0
import { isRefusal } from '@forge/kube/api-error.ts';
import type { Client } from '@forge/kube/client.ts';
import { resourceName, type Kind } from '@forge/kube/kind.ts';

/** Rejects when the cluster lacks a kind of an operator's own: without it, the operator would wait in silence. */
export async function requireKinds(
  { name, requires }: { name: string; requires: readonly Kind[] },
  namespace: string,
  api: Client,
): Promise<void> {
  const asked = requires.map(async (kind) => {
    try {
      await api.list(kind, { limit: 1, ...(namespace !== '' && { namespace }) });
    } catch (error) {
      if (!isRefusal(error, 'NotFound')) throw error;
      const message = `The cluster does not know ${resourceName(kind)}: apply the CustomResourceDefinition of ${name} first`;
      throw new Error(message, { cause: error });
    }
  });
  await Promise.all(asked);
}
