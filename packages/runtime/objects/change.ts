// SPDX-License-Identifier: Apache-2.0
import type { KubeObject } from '@forge/kube/objects/object.ts';

/** What happened to an object: it came (no before), went (no after), or changed. */
export interface Change<T extends KubeObject = KubeObject> {
  before: T | undefined;
  after: T | undefined;
  /** Whether of one of the two the cache has no more than metadata. */
  partial?: boolean;
}

/** Every state of the object that the change touches. */
export function statesOf<T extends KubeObject>({ before, after }: Change<T>): T[] {
  return [before, after].filter((state) => state !== undefined);
}
