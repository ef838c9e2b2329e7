// SPDX-License-Identifier: Apache-2.0
import type { Kind } from '@forge/kube/kinds/kind.ts';
import type { Access } from '../controller/controller.ts';
import type { OwnedVerb } from '../steps/owned.ts';
import type { Reads } from '../steps/reads.ts';
import type { Services, Step, StepResource } from '../steps/step.ts';
import type { TouchVerb, Touched } from '../steps/touched.ts';

/** The RBAC verbs of each verb: an apply may create the object, a create may find it existing; a hand-over reads it. */
const rbacVerbsOfOwned: Readonly<Record<OwnedVerb, readonly string[]>> = {
  apply: ['create', 'patch'],
  create: ['create', 'get'],
  handOver: ['get'],
  adopt: ['patch'],
  replace: ['update'],
  remove: ['delete'],
};

const rbacVerbsOfTouch: Readonly<Record<TouchVerb, readonly string[]>> = {
  patch: ['patch'],
  release: ['patch'],
  delete: ['delete'],
  deleteCollection: ['deletecollection'],
  requestToken: ['create'],
  dryRunCreate: ['create'],
};

/** The declarations of a step that imply access. */
interface Declared extends Pick<Step<StepResource, Services>, 'owns' | 'touches' | 'finalizer'> {
  readonly reads: readonly Pick<Reads<StepResource, Services>, 'kind' | 'by' | 'live'>[];
}

/** The access that the steps of a kind need besides watching, for what they declare and what the engine does. */
export function accessOf<T extends StepResource>(kind: Kind<T>, steps: readonly Declared[]): Access[] {
  const written = steps.flatMap(({ owns }) => owns);
  const hasFinalizers = steps.some(({ finalizer }) => finalizer !== undefined);
  return [
    { kind, subresource: 'status', verbs: ['update'] },
    // Whether it still exists is read before what it owned is created again.
    ...(written.length > 0 ? [{ kind, verbs: ['get'] }] : []),
    // OwnerReferencesPermissionEnforcement: setting blockOwnerDeletion requires access to finalizers.
    ...(written.length > 0 ? [{ kind, subresource: 'finalizers', verbs: ['update'] }] : []),
    ...(hasFinalizers ? [{ kind, verbs: ['patch'] }] : []),
    ...written.map(({ kind: owned, verbs }) => ({
      kind: owned,
      verbs: verbs.flatMap((verb) => rbacVerbsOfOwned[verb]),
    })),
    ...steps.flatMap(({ touches }) => touches).flatMap(touchAccess),
    ...steps.flatMap(({ reads }) => reads).flatMap(liveAccess),
    ...steps.flatMap(({ owns, reads }) => [...owns, ...reads]).flatMap(contentAccess),
  ];
}

function touchAccess({ kind, touches }: Touched): Access[] {
  return touches.map((touch) => ({
    kind,
    verbs: rbacVerbsOfTouch[touch],
    ...(touch === 'requestToken' && { subresource: 'token' }),
  }));
}

/** The content of Secrets is read one by one, and not cached before. */
function contentAccess({ kind }: { kind: Kind }): Access[] {
  return kind.confidential === true ? [{ kind, verbs: ['get'] }] : [];
}

/** Live reads. */
function liveAccess({ kind, by, live }: Declared['reads'][number]): Access[] {
  return live ? [{ kind, verbs: by === 'labels' ? ['list'] : ['get'] }] : [];
}
