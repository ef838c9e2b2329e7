// SPDX-License-Identifier: Apache-2.0
import { isDeepStrictEqual } from 'node:util';
import { fieldOf, isObject } from '@forge/kube/objects/json.ts';
import type { KubeObject } from '@forge/kube/objects/object.ts';
import { keyOf } from '../../objects/object-key.ts';

/** A body that a step applied, of a part or of the whole object. */
interface AppliedBody {
  readonly step: string;
  readonly part: string | undefined;
  readonly body: KubeObject;
}

/** What a pass has applied so far, by object. */
export type AppliedBodies = Map<string, readonly AppliedBody[]>;

/**
 * Records what a step applies. Throws when it contradicts what the pass applied before: the two would undo each other in
 * every pass, with every condition True.
 */
export function recordApplied(applied: AppliedBodies, next: AppliedBody): void {
  const { apiVersion, kind, metadata } = next.body;
  const place = `${apiVersion} ${kind} ${keyOf(metadata)}`;
  const earlier = applied.get(place) ?? [];
  applied.set(place, [...earlier, next]);
  for (const other of earlier) checkAgreement(other, next);
}

function checkAgreement(other: AppliedBody, next: AppliedBody): void {
  const { kind, metadata } = next.body;
  const steps = `steps ${other.step} and ${next.step}`;
  if (other.part === next.part) {
    if (isDeepStrictEqual(other.body, next.body)) return;
    const what = `different bodies of ${kind} ${metadata.name} in one pass`;
    throw new Error(`${steps} apply ${what}: give each a part of its own in owns`);
  }
  const field = contradiction(other.body, next.body, []);
  if (field === undefined) return;
  const what = `different values of ${field.join('.')} of ${kind} ${metadata.name} in one pass`;
  throw new Error(`${steps} apply ${what}: a field belongs to one part`);
}

/** The first field to which both give different values; list items may belong to different writers. */
function contradiction(a: unknown, b: unknown, path: readonly string[]): readonly string[] | undefined {
  if (Array.isArray(a) && Array.isArray(b)) return undefined;
  if (!isObject(a) || !isObject(b)) return isDeepStrictEqual(a, b) ? undefined : path;
  for (const [name, value] of Object.entries(a)) {
    const other = fieldOf(b, name);
    const found = other === undefined ? undefined : contradiction(value, other, [...path, name]);
    if (found !== undefined) return found;
  }
  return undefined;
}
