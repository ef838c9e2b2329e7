// SPDX-License-Identifier: Apache-2.0
import { isApiError } from '@forge/kube/errors/api-error.ts';
import type { Pod, StatefulSet } from '@forge/kube/kinds/builtin.ts';
import type { ReconcileContext } from '@forge/runtime/controller/controller.ts';
import { serverMessage } from '../../objects/server-message.ts';

/** What the Events about an operation say. */
interface Texts {
  readonly verb: 'Create' | 'Update' | 'Delete';
  readonly success: string;
  readonly failure: string;
}

/** The texts about an operation on a pod. */
export function podTexts(verb: Texts['verb'], { metadata: pod }: Pod, { metadata: set }: StatefulSet): Texts {
  const subject = `${verb} Pod ${pod.name} in StatefulSet ${set.name}`;
  return { verb, success: `${subject} successful`, failure: subject };
}

/**
 * Performs an operation, and records an Event of the set about its success or failure; none when there was nothing to do,
 * or when a created object exists.
 */
export async function recordOutcome(
  set: StatefulSet,
  { verb, success, failure }: Texts,
  act: () => Promise<boolean>,
  { event }: ReconcileContext,
): Promise<void> {
  try {
    if (!(await act())) return;
  } catch (error) {
    if (!isApiError(error, 'AlreadyExists')) {
      const message = `${failure} failed error: ${serverMessage(error)}`;
      await event(set, { type: 'Warning', reason: `Failed${verb}`, message });
    }
    throw error;
  }
  await event(set, { type: 'Normal', reason: `Successful${verb}`, message: success });
}
