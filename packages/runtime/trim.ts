// SPDX-License-Identifier: Apache-2.0
import type { Kind } from '@forge/kube/kind.ts';
import type { KubeObject } from '@forge/kube/object.ts';

/** What of a kind's objects is not worth its memory. */
export interface Trim<T extends KubeObject = KubeObject> {
  readonly kind: Kind<T>;
  /** The object without what no controller of the process reads; of what is applied nothing may be missing. */
  trim(object: T): T;
}

/** Drops parts of a kind's objects before they are stored. */
export function trim<T extends KubeObject>(kind: Kind<T>, drop: (object: T) => T): Trim {
  return { kind, trim: drop };
}
