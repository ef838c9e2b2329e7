// SPDX-License-Identifier: Apache-2.0
import type { Kind } from '@forge/kube/kind.ts';
import { refOf, type KubeObject } from '@forge/kube/object.ts';
import type { Logger } from './logger.ts';

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

/** A trim that never throws: an object it cannot handle stays whole, for one odd object must not stop the watch of all. */
export function safeTrim<T extends KubeObject>(trimming: Trim, log: Logger): (object: T) => T {
  let isReported = false;
  return (object) => {
    try {
      return trimming.trim(object) as T;
    } catch (error) {
      const message = 'cannot trim an object, storing it whole; later ones of the kind are not logged';
      if (!isReported) log.error(message, { kind: trimming.kind.kind, ...refOf(object), error });
      isReported = true;
      return object;
    }
  };
}
