// SPDX-License-Identifier: Apache-2.0
import type { Kind } from '@forge/kube/kinds/kind.ts';
import type { WatchScope } from '../cache/cache.ts';
import type { Access } from '../controller/controller.ts';
import type { Modification, Modified } from '../steps/modified.ts';
import type { OwnedVerb } from '../steps/owned.ts';
import type { Reads } from '../steps/reads.ts';
import type { Services, Step, StepResource } from '../steps/step.ts';

/** The RBAC verbs of each verb: an apply may create the object, a create may find it existing; a transfer of fields reads it. */
const rbacVerbsOfOwned: Readonly<Record<OwnedVerb, readonly string[]>> = {
  apply: ['create', 'patch'],
  create: ['create', 'get'],
  transferFields: ['get'],
  adopt: ['patch'],
  replace: ['update'],
  remove: ['delete'],
};

/** What they need as well when only labelled objects are watched: the object may exist without the labels, which are restored. */
const rbacVerbsOfNarrowed: Readonly<Partial<Record<OwnedVerb, readonly string[]>>> = {
  apply: ['get'],
  create: ['patch'],
  replace: ['get'],
  remove: ['get'],
};

const rbacVerbsOf: Readonly<Record<Modification, readonly string[]>> = {
  patch: ['patch'],
  release: ['patch'],
  delete: ['delete'],
  deleteCollection: ['deletecollection'],
  requestToken: ['create'],
  dryRunCreate: ['create'],
};

/** The declarations of a step that imply access. */
interface Declared extends Pick<Step<StepResource, Services>, 'owns' | 'modifies' | 'finalizer'> {
  readonly reads: readonly Pick<Reads<StepResource, Services>, 'kind' | 'by' | 'live' | 'watched'>[];
}

/** The access that the steps of a kind need besides watching, for what they declare and what the engine does. */
export function accessOf<T extends StepResource>(kind: Kind<T>, steps: readonly Declared[]): Access[] {
  const written = steps.flatMap(({ owns }) => owns);
  const hasFinalizers = steps.some(({ finalizer }) => finalizer !== undefined);
  return [
    { kind, subresource: 'status', verbs: ['update'] },
    // The resource is read live before an object that it owned is created again.
    ...(written.length > 0 ? [{ kind, verbs: ['get'] }] : []),
    // OwnerReferencesPermissionEnforcement: setting blockOwnerDeletion requires access to finalizers.
    ...(written.length > 0 ? [{ kind, subresource: 'finalizers', verbs: ['update'] }] : []),
    ...(hasFinalizers ? [{ kind, verbs: ['patch'] }] : []),
    ...written.map(({ kind: owned, verbs, selector }) => ({
      kind: owned,
      verbs: verbs.flatMap((verb) => [
        ...rbacVerbsOfOwned[verb],
        ...(selector === undefined ? [] : (rbacVerbsOfNarrowed[verb] ?? [])),
      ]),
    })),
    ...written.flatMap(({ grants }) => grants),
    ...steps.flatMap(({ modifies }) => modifies).flatMap(modificationAccess),
    ...steps.flatMap(({ reads }) => reads).flatMap(liveAccess),
    ...steps.flatMap(({ owns, reads }) => [...owns, ...reads]).flatMap(contentAccess),
  ];
}

function modificationAccess({ kind, modifies }: Modified): Access[] {
  return modifies.map((verb) => ({
    kind,
    verbs: rbacVerbsOf[verb],
    ...(verb === 'requestToken' && { subresource: 'token' }),
  }));
}

/** The content of Secrets is fetched one by one. */
function contentAccess({ kind, watched }: { kind: Kind; watched?: Pick<WatchScope, 'namespace'> }): Access[] {
  return kind.confidential === true ? [{ kind, verbs: ['get'], namespace: watched?.namespace }] : [];
}

/** Live reads. */
function liveAccess({ kind, by, live }: Declared['reads'][number]): Access[] {
  return live ? [{ kind, verbs: by === 'labels' ? ['list'] : ['get'] }] : [];
}
