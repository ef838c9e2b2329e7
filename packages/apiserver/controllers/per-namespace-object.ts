// SPDX-License-Identifier: Apache-2.0
import { resourceName, type Kind } from '@forge/kube/kinds/kind.ts';
import type { KubeObject } from '@forge/kube/objects/object.ts';
import { trackUpdate } from '@forge/kube/patch/track-update.ts';
import { timestamp } from '@forge/runtime/environment/clock.ts';
import type { ServerContext } from '../request/server-context.ts';
import { correctionQueue } from './correction-queue.ts';
import { createIfMissing } from './create-if-missing.ts';
import { observeChanges } from './observe-changes.ts';
import type { AllowCorrection } from './work-queue.ts';

/** An object that exists in every namespace. */
export interface PerNamespaceObject<T extends KubeObject> {
  kind: Kind<T>;
  /** The object to create. */
  object: T;
  /** The corrected object; the given one when it is correct. */
  correct?(object: T): T;
}

const namespaces = 'namespaces//';
const manager = 'kube-controller-manager';

/**
 * Maintains an object in every active namespace. It exists before the create request of the namespace returns; when
 * another writer keeps changing it, corrections are rate limited.
 */
export function perNamespaceObject<T extends KubeObject>(
  server: ServerContext,
  definition: PerNamespaceObject<T>,
): () => Promise<void> {
  const { store, clock } = server;
  const { kind, object } = definition;
  const keyIn = (namespace: string): string => `${resourceName(kind)}/${namespace}/${object.metadata.name}`;

  function ensure(namespace: string, allowCorrection: AllowCorrection): void {
    const active = store.current.objects.get(namespaces + namespace)?.value;
    if (active === undefined || active.metadata.deletionTimestamp !== undefined) return;
    const namespaceUid = active.metadata.uid ?? '';
    const stored = store.current.objects.get(keyIn(namespace));
    if (stored === undefined) {
      if (!allowCorrection(namespaceUid)) return;
      return createIfMissing(server, kind, { ...object, metadata: { ...object.metadata, namespace } }, manager);
    }
    const before = stored.value as T;
    const after = definition.correct?.(before) ?? before;
    if (after === before || !allowCorrection(namespaceUid)) return;
    const writer = { manager, time: timestamp(clock) };
    store.commit(keyIn(namespace), stored, trackUpdate({ before, after, schema: kind.schema, ...writer }));
  }

  const queue = correctionQueue(`every namespace's ${object.metadata.name}`, server, ensure);
  for (const { value } of store.current.objects.withPrefix(namespaces)) queue.correct(value.metadata.name);
  const stopObserving = observeChanges(server, ({ object: { key, value } }) => {
    const { name, namespace = '' } = value.metadata;
    if (key.startsWith(namespaces)) queue.correct(name);
    else if (key === keyIn(namespace)) queue.correct(namespace);
  });
  return async () => {
    stopObserving();
    await queue.stop();
  };
}
