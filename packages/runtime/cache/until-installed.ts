// SPDX-License-Identifier: Apache-2.0
import type { Client } from '@forge/kube/client/client.ts';
import { CustomResourceDefinition } from '@forge/kube/kinds/builtin.ts';
import { resourceName, type Kind } from '@forge/kube/kinds/kind.ts';
import type { Random } from '../random/random.ts';
import { watchSeconds } from './watch-timing.ts';

/**
 * Resolves when the server knows the kind, which costs an open watch and no requests meanwhile. Rejects when it may not
 * be asked, or does not answer.
 */
export async function untilInstalled(
  client: Client,
  kind: Kind,
  { random, signal, onHeard }: { random: Random; signal: AbortSignal; onHeard: () => void },
): Promise<void> {
  const fieldSelector = `metadata.name=${resourceName(kind)}`;
  let resourceVersion: string | undefined;
  for (;;) {
    const watched = client.watch(CustomResourceDefinition, {
      fieldSelector,
      bookmarks: true,
      timeoutSeconds: watchSeconds(random),
      signal,
      ...(resourceVersion !== undefined && { resourceVersion }),
    });
    for await (const { type, object } of watched) {
      onHeard();
      ({ resourceVersion } = object.metadata);
      if (type !== 'BOOKMARK' && type !== 'DELETED' && serves(object, kind)) return;
    }
    // A watch that ends without even a bookmark is none to count on.
    if (resourceVersion === undefined) throw new Error(`The server tells nothing about ${fieldSelector}`);
  }
}

function serves({ spec, status }: CustomResourceDefinition, { version }: Kind): boolean {
  const established = status?.conditions?.some((each) => each.type === 'Established' && each.status === 'True');
  return established === true && spec.versions.some((each) => each.name === version && each.served);
}
