// SPDX-License-Identifier: Apache-2.0
import { isDeepStrictEqual } from 'node:util';
import type { Kind } from '@forge/kube/kinds/kind.ts';
import { refOf, type KubeObject } from '@forge/kube/objects/object.ts';
import { appliedFields, extractFields } from '@forge/kube/patch/applied-fields.ts';
import type { ReconcileContext } from '../controller/controller.ts';
import { handOver } from './hand-over.ts';

/**
 * Server-side apply that sends nothing when nothing would change.
 *
 * Guarantees: a field or list item that was applied earlier and is no longer wanted is taken away, also after a restart:
 * what we applied earlier is what the server recorded under our name (managedFields), of which the cache keeps our part.
 *
 * How: the part of the live object that is ours must equal what we want. Where the server says the same in other words
 * (defaults inside an atomic list, `1000m` as `1`) it never does; there one apply teaches us the server's words, and
 * our part must stay as it answered.
 */
export type Apply = <T extends KubeObject>(
  kind: Kind<T>,
  desired: T,
  context: Pick<ReconcileContext, 'client' | 'cache' | 'signal'>,
  options?: ApplyOptions,
) => Promise<T>;

/** How an object is applied. */
export interface ApplyOptions {
  /** Fields that somebody else sets, as `spec.replicas`: not wanted by us, but not to be taken away either. */
  handedOver?: readonly string[];
  /** Overwrites fields of others also on an object that the cache does not know. Default: that is a Conflict. */
  takesOver?: boolean;
}

/** What the server made of what we wanted. */
interface Answer {
  desired: KubeObject;
  version: string | undefined;
  part: object;
}

/** An apply under this name; it remembers so many answers: each one forgotten costs an apply that changes nothing. */
export function applier(fieldManager: string, rememberedAnswers = 10_000): Apply {
  const answers = new Map<string, Answer>();

  function remember(desired: KubeObject, live: KubeObject): void {
    const { uid = '', resourceVersion } = live.metadata;
    const part = extractFields(live, appliedFields(live, fieldManager) ?? {});
    answers.delete(uid);
    answers.set(uid, { desired, version: resourceVersion, part });
    const [oldest] = answers.keys();
    if (answers.size > rememberedAnswers && oldest !== undefined) answers.delete(oldest);
  }

  return async (kind, desired, context, { handedOver = [], takesOver = false } = {}) => {
    const { client, cache, signal } = context;
    const ref = refOf(desired);
    const live = cache.get(kind, ref);
    const ours = cache.applied(kind, ref, fieldManager);
    if (live !== undefined && ours !== undefined) {
      const { uid = '', resourceVersion } = live.metadata;
      const answer = answers.get(uid);
      const known = answer !== undefined && isDeepStrictEqual(answer.desired, desired);
      if (known && answer.version === resourceVersion) return live;
      if (isDeepStrictEqual(extractFields(live, ours), known ? answer.part : desired)) return live;
      await handOver(kind, ref, { ours, fields: handedOver, fieldManager }, context);
    }
    // What the watch has not shown yet may be somebody else's: then nothing of it is overwritten.
    const force = live !== undefined || takesOver;
    const applied = await client.apply(kind, desired, { fieldManager, force, signal });
    remember(desired, applied);
    return applied;
  };
}
