// SPDX-License-Identifier: Apache-2.0
import type { KubeObject } from '@forge/kube/objects/object.ts';

/** A change of an object: created (no before), deleted (no after), or updated. */
export interface Change<T extends KubeObject = KubeObject> {
  before: T | undefined;
  after: T | undefined;
  /** Whether one of the two is metadata only. */
  partial?: boolean;
}

/** The states before and after the change. */
export function statesOf<T extends KubeObject>({ before, after }: Change<T>): T[] {
  return [before, after].filter((state) => state !== undefined);
}
