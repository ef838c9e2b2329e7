// SPDX-License-Identifier: Apache-2.0
import type { Kind } from '@forge/kube/kinds/kind.ts';
import type { Access } from '../controller/controller.ts';
import type { OwnedVerb } from '../steps/owned.ts';
import type { Reads } from '../steps/reads.ts';
import type { Services, Step, StepResource } from '../steps/step.ts';
import type { TouchVerb, Touched } from '../steps/touched.ts';

/** What each act asks of the API: an object that is applied may have to be created, one that is created may be there. */
const verbsOfAct: Readonly<Record<OwnedVerb, readonly string[]>> = {
  apply: ['create', 'patch'],
  create: ['create', 'get'],
  adopt: ['patch'],
  replace: ['update'],
  remove: ['delete'],
};

const verbsOfTouch: Readonly<Record<TouchVerb, readonly string[]>> = {
  patch: ['patch'],
  release: ['patch'],
  delete: ['delete'],
  deleteCollection: ['deletecollection'],
  requestToken: ['create'],
  dryRunCreate: ['create'],
};

/** What of a step says what it does. */
interface Declared extends Pick<Step<StepResource, Services>, 'owns' | 'touches' | 'finalizer'> {
  readonly reads: readonly Pick<Reads<StepResource, Services>, 'kind' | 'by' | 'live'>[];
}

/** What the steps of a kind do besides watching: what they declare, and what the engine does for them. */
export function accessOf<T extends StepResource>(kind: Kind<T>, steps: readonly Declared[]): Access[] {
  const written = steps.flatMap(({ owns }) => owns);
  const hasFinalizers = steps.some(({ finalizer }) => finalizer !== undefined);
  return [
    { kind, subresource: 'status', verbs: ['update'] },
    // Where owner references are guarded, only who may write finalizers may hold a resource by what it owns.
    ...(written.length > 0 ? [{ kind, subresource: 'finalizers', verbs: ['update'] }] : []),
    ...(hasFinalizers ? [{ kind, verbs: ['patch'] }] : []),
    ...written.map(({ kind: owned, verbs: acts }) => ({ kind: owned, verbs: acts.flatMap((act) => verbsOfAct[act]) })),
    ...steps.flatMap(({ touches }) => touches).flatMap(touchAccess),
    ...steps.flatMap(({ reads }) => reads).flatMap(liveAccess),
  ];
}

function touchAccess({ kind, touches }: Touched): Access[] {
  return touches.map((touch) => ({
    kind,
    verbs: verbsOfTouch[touch],
    ...(touch === 'requestToken' && { subresource: 'token' }),
  }));
}

/** What is watched may be read live anyway. */
function liveAccess({ kind, by, live }: Declared['reads'][number]): Access[] {
  return live ? [{ kind, verbs: by === 'name' ? ['get'] : ['list'] }] : [];
}
