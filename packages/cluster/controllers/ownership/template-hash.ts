// SPDX-License-Identifier: Apache-2.0
import type { PodTemplateSpec } from '@forge/kube/generated/types.ts';

/** No vowels and no ambiguous digits, so that a hash is not a word and cannot be misread. */
const alphabet = 'bcdfghjklmnpqrstvwxz2456789';

/** A short hash of a pod template, which also depends on `collisions`. */
export function templateHash(template: PodTemplateSpec, collisions = 0): string {
  let hash = fnv1a(canonical(template) + (collisions === 0 ? '' : String(collisions)));
  let name = '';
  do {
    name += alphabet.charAt(hash % alphabet.length);
    hash = Math.floor(hash / alphabet.length);
  } while (hash > 0);
  return name;
}

/** JSON with sorted keys, so that the order of fields does not matter. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}

function fnv1a(text: string): number {
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(text)) hash = Math.imul(hash ^ byte, 0x01000193);
  return hash >>> 0;
}
