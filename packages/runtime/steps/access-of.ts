// SPDX-License-Identifier: Apache-2.0
import type { Kind } from '@forge/kube/kind.ts';
import type { Access } from '../controller.ts';
import type { DeletionStep } from './deletion-step.ts';
import type { Act } from './owned.ts';
import type { Step, StepResource } from './step.ts';

/** What each act asks of the API: an object that is applied may have to be created, one that is created may be there. */
const verbsOf: Readonly<Record<Act, readonly string[]>> = {
  apply: ['create', 'patch'],
  create: ['create', 'get'],
  replace: ['update'],
  remove: ['delete'],
};

/** What the steps of a kind do besides watching: what they say in `owns`, and what the engine does for them. */
export function accessOf<T extends StepResource, S>(
  kind: Kind<T>,
  steps: readonly Step<T, S>[],
  deletion: readonly DeletionStep<T, S>[],
): Access[] {
  const written = [...steps, ...deletion].flatMap(({ owns }) => owns);
  return [
    { kind, subresource: 'status', verbs: ['update'] },
    // Where owner references are guarded, only who may write finalizers may hold a resource by what it owns.
    ...(written.length > 0 ? [{ kind, subresource: 'finalizers', verbs: ['update'] }] : []),
    ...(deletion.length > 0 ? [{ kind, verbs: ['patch'] }] : []),
    ...written.map(({ kind: owned, acts }) => ({ kind: owned, verbs: acts.flatMap((act) => verbsOf[act]) })),
  ];
}
