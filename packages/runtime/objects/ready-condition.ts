// SPDX-License-Identifier: Apache-2.0
import type { KubeObject } from '@forge/kube/objects/object.ts';
import type { Change } from './change.ts';
import { isTrue } from './condition.ts';

/** An object whose controller reports a Ready condition, whatever else that condition carries. */
export interface WithConditions extends KubeObject {
  status?: { conditions?: readonly { readonly type: string; readonly status: string }[] };
}

/** Whether the object's controller reports it as ready; one that does not exist is not. */
export function isReady(object: WithConditions | undefined): boolean {
  return isTrue(object, 'Ready');
}

/** A predicate of watches: the object appeared, disappeared or changed its readiness. */
export function readinessChanged({ before, after }: Change<WithConditions>): boolean {
  return before === undefined || after === undefined || isReady(before) !== isReady(after);
}
