// SPDX-License-Identifier: Apache-2.0
import { isDeepStrictEqual } from 'node:util';
import type { Kind } from '@forge/kube/kinds/kind.ts';
import { refOf, type KubeObject } from '@forge/kube/objects/object.ts';
import { appliedFields, extractFields } from '@forge/kube/patch/applied-fields.ts';
import type { ReconcileContext } from '../controller/controller.ts';
import { transferFields } from './transfer-fields.ts';

/**
 * Server-side apply that sends nothing when nothing would change.
 *
 * Guarantees: a field or list item that was applied earlier and is no longer desired is removed, also after a restart:
 * what we applied is what the server recorded for our field manager (managedFields); the cache keeps our part of that.
 *
 * How: our fields of the live object are compared with the desired ones. Where the server normalises values (defaults in
 * an atomic list, `1000m` as `1`), they always differ; the response to one apply shows the normalised form, with which they
 * are compared from then on.
 */
export type Apply = <T extends KubeObject>(
  kind: Kind<T>,
  desired: T,
  context: Pick<ReconcileContext, 'client' | 'cache' | 'signal'>,
  options?: ApplyOptions,
) => Promise<T>;

/** How an object is applied. */
export interface ApplyOptions {
  /** Fields that another manager sets, such as `spec.replicas`: not desired by us, but not to be removed either. */
  transferredFields?: readonly string[];
  /** Overwrites fields of other managers also on an object that is not in the cache. Default: that is a Conflict. */
  takesOver?: boolean;
}

/** The server's response to an apply. */
interface Answer {
  desired: KubeObject;
  version: string | undefined;
  part: object;
}

/** Applies with this field manager; it remembers this many responses: a forgotten one costs a redundant apply. */
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

  return async (kind, desired, context, { transferredFields = [], takesOver = false } = {}) => {
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
      await transferFields(kind, ref, { ours, fields: transferredFields, fieldManager }, context);
    }
    // An object that the watch has not delivered yet may belong to somebody else: nothing of it is overwritten.
    const force = live !== undefined || takesOver;
    const applied = await client.apply(kind, desired, { fieldManager, force, signal });
    remember(desired, applied);
    return applied;
  };
}
