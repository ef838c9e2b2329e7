// SPDX-License-Identifier: Apache-2.0
import type { Client } from '@forge/kube/client/client.ts';
import { isApiError } from '@forge/kube/errors/api-error.ts';
import { resourceName, type Kind } from '@forge/kube/kinds/kind.ts';
import type { Logger } from '../observability/logger.ts';

/**
 * Rejects when a required kind is not installed, instead of waiting for it silently. Of several namespaces, one that may
 * not be read is reported, and must not stop the others.
 */
export async function requireKinds(
  { name, kinds, requires = [] }: { name: string; kinds: readonly Kind[]; requires?: readonly Kind[] },
  namespaces: readonly string[],
  { api, log }: { api: Client; log: Logger },
): Promise<void> {
  async function require(kind: Kind, remedy: string, namespace?: string): Promise<void> {
    try {
      await api.list(kind, { limit: 1, ...(namespace !== undefined && { namespace }) });
    } catch (error) {
      if (namespaces.length > 1 && isApiError(error, 'Forbidden')) {
        log.error('cannot read a namespace; apply the Role for watched namespaces there', { namespace, error });
        return;
      }
      if (!isApiError(error, 'NotFound')) throw error;
      throw new Error(`${resourceName(kind)} is not installed: ${remedy}`, { cause: error });
    }
  }

  const everywhere = (kind: Kind, remedy: string) =>
    namespaces.length === 0 ? [require(kind, remedy)] : namespaces.map((namespace) => require(kind, remedy, namespace));
  await Promise.all([
    ...kinds.flatMap((kind) => everywhere(kind, `apply the CustomResourceDefinition of ${name} first`)),
    ...requires.flatMap((kind) => everywhere(kind, `${name} requires it; install the operator that provides it first`)),
  ]);
}
