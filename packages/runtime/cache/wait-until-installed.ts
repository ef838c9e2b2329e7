// SPDX-License-Identifier: Apache-2.0
import type { Client } from '@forge/kube/client/client.ts';
import { CustomResourceDefinition } from '@forge/kube/kinds/builtin.ts';
import { resourceName, type Kind } from '@forge/kube/kinds/kind.ts';
import type { Random } from '../environment/random.ts';
import { watchTimeoutSeconds } from './inactivity-timer.ts';

/**
 * Resolves when the kind is installed, by an open watch on its CRD. Rejects when watching CRDs is forbidden or fails.
 */
export async function waitUntilInstalled(
  client: Client,
  kind: Kind,
  { random, signal, onActivity }: { random: Random; signal: AbortSignal; onActivity: () => void },
): Promise<void> {
  const fieldSelector = `metadata.name=${resourceName(kind)}`;
  let resourceVersion: string | undefined;
  for (;;) {
    const watched = client.watch(CustomResourceDefinition, {
      fieldSelector,
      bookmarks: true,
      timeoutSeconds: watchTimeoutSeconds(random),
      signal,
      ...(resourceVersion !== undefined && { resourceVersion }),
    });
    for await (const { type, object } of watched) {
      onActivity();
      ({ resourceVersion } = object.metadata);
      if (type !== 'BOOKMARK' && type !== 'DELETED' && serves(object, kind)) return;
    }
    // A watch that ends without even a bookmark cannot be relied on.
    if (resourceVersion === undefined)
      throw new Error(
        `the watch of CustomResourceDefinitions with ${fieldSelector} ended without an event or bookmark`,
      );
  }
}

function serves({ spec, status }: CustomResourceDefinition, { version }: Kind): boolean {
  const established = status?.conditions?.some((each) => each.type === 'Established' && each.status === 'True');
  return established === true && spec.versions.some((each) => each.name === version && each.served);
}
