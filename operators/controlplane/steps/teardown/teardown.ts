// SPDX-License-Identifier: Apache-2.0
// A deleted ControlPlane must not leave a valid credential behind. Only Keystone can revoke it, and Keystone is deleted as
// well. So the objects of K-ORC go first, with a login that still works, and Keystone is held until then: the login by
// password is its second owner, which the garbage collector respects (objects/held-children.ts).
//
// K-ORC has five minutes. Where Keystone is about to go all the same, the operator revokes the credential itself, and at
// once. After that, or when nobody answers any more, finalizers of K-ORC are removed, and an Event names what may not be
// revoked. The Secrets are deleted last, the login by password after all others, because everything before needs it.
import { Namespace, Secret } from '@forge/kube/kinds/builtin.ts';
import type { KubeObject } from '@forge/kube/objects/object.ts';
import { ApplicationCredential } from '@forge/kube/third-party/korc.ts';
import { minutes, seconds } from '@forge/runtime/environment/duration.ts';
import { conditionOf } from '@forge/runtime/objects/condition.ts';
import { modified } from '@forge/runtime/steps/modified.ts';
import { ready, waiting } from '@forge/runtime/steps/outcome.ts';
import { owned } from '@forge/runtime/steps/owned.ts';
import { reads } from '@forge/runtime/steps/reads.ts';
import { ControlPlane } from '../../api/control-plane.ts';
import { namesOf, passwordRefOf, teardownFinalizer } from '../../api/names.ts';
import type { Services } from '../../clients/services.ts';
import { teardown as cases, teardownEvents as events } from '../../conditions/deletion.ts';
import { heldPlaces } from '../../objects/held-children.ts';
import { secretPredicate } from '../../objects/secret-changes.ts';
import { deletionStep } from '../step.ts';
import { forceRelease, referrers } from './force-release.ts';
import { keystoneOutlook, outlookReads } from './keystone-outlook.ts';
import { korcChildren, korcPlaces, korcReads, remainingChildren, type TeardownContext } from './korc-children.ts';
import { answersLogin, redirectLogins } from './redirect-logins.ts';
import { releaseHeld, rememberForeground } from './release-held.ts';
import { mintedId, reportUnrevoked, revokeCredentials } from './revocation.ts';

/**
 * How long K-ORC has, and how much of that this process must have seen itself; a process that has seen it all needs no clock.
 */
export const stallTimeout = minutes(5);
const leastWatch = seconds(60);
const longestWatch = seconds(330);

/** How long a Keystone that is being deleted may not answer before it counts as gone. */
export const silenceTimeout = seconds(20);

/** Deletes the objects of K-ORC while Keystone still runs, so that K-ORC revokes the application credential. */
export const teardown = deletionStep({
  name: 'Teardown',
  finalizer: teardownFinalizer,
  condition: { type: 'KORCReady', helperOf: 'KORC' },
  owns: [owned(Secret, ['apply', 'remove'], { predicate: secretPredicate })],
  reads: [
    ...korcReads,
    ...referrers,
    ...outlookReads,
    ...heldPlaces.map(({ kind, names }) => reads<ControlPlane, Services, KubeObject>(kind, names, { live: true })),
    reads(ControlPlane, ({ metadata }) => [metadata.name], { live: true }),
    reads(Namespace, ({ metadata: { namespace = '' } }) => [{ name: namespace }], { live: true }),
    reads(
      Secret,
      (controlPlane) => {
        const { passwordCloud, cloudsYaml } = namesOf(controlPlane);
        return [passwordRefOf(controlPlane).name, passwordCloud, cloudsYaml];
      },
      { predicate: secretPredicate },
    ),
  ],
  modifies: [
    ...korcPlaces.map(({ kind }) => modified(kind, 'patch', 'delete', 'release')),
    modified(Secret, 'patch', 'release'),
    ...heldPlaces.map(({ kind }) => modified(kind, 'release')),
  ],
  async run(context) {
    const { object: controlPlane, clock, seenFor } = context;
    await rememberForeground(context);
    // First, because a login that somebody deleted disappears with K-ORC's objects; and again before it is deleted.
    await releaseHeld(context);
    const watched = seenFor('deletion', true);
    const hasWaited = watched >= leastWatch;
    const outlook = keystoneOutlook(context);
    // Keystone is about to be deleted: the operator revokes the credential itself, without waiting.
    const early = outlook === 'stays' ? undefined : await revokeCredentials(context);
    const isSilent = early !== undefined && early !== 'done';
    const silence = seenFor('silence', isSilent);
    const isAbandoned = isSilent && (outlook === 'gone' || silence >= silenceTimeout);
    const isStalled = watched >= longestWatch || (hasWaited && isOverdue(controlPlane, clock.now()));
    const isForced = isStalled || isAbandoned || (early === 'done' && !isMinting(context));
    await deleteChildren(context, isForced);
    const left = await remainingChildren(context, { live: isForced });
    // K-ORC may be gone, and by the time that is certain Keystone may no longer answer: it is asked before, once K-ORC had its
    // chance.
    const isDue = left.length === 0 || hasWaited;
    const revocation = early ?? (isDue ? await revokeCredentials(context) : 'pending');
    const mayBeLeft = revocation === 'pending' && isDue && mintedId(context) !== undefined;
    if (!isForced && (left.length > 0 || mayBeLeft)) return waiting(cases.waiting({ count: left.length }));
    await releaseHeld(context);
    if (left.length > 0) await forceRelease(left, context);
    if (revocation !== 'done') await reportUnrevoked(revocation, context);
    await deleteSecrets(context);
    const names = left.map(({ live }) => live.metadata.name).join(' ');
    if (names === '' || (revocation === 'done' && !isStalled)) return ready({ event: events.complete() });
    return ready({ event: isStalled ? events.stalled({ names }) : events.abandoned({ names }) });
  },
});

/**
 * Deletes what exists; the ApplicationCredential only while Keystone answers, because K-ORC could otherwise consider it
 * revoked.
 */
async function deleteChildren(context: TeardownContext, isForced: boolean): Promise<void> {
  const { object: controlPlane, deleteUnowned, event } = context;
  const children = korcChildren(context);
  if (children.length === 0) return;
  await redirectLogins(children, context);
  const live = children.filter(({ live: { metadata } }) => metadata.deletionTimestamp === undefined);
  // The condition has another reason while the API server refuses a deletion.
  const once = controlPlane.metadata.deletionTimestamp ?? '';
  if (live.length > 0 && conditionOf(controlPlane, 'KORCReady')?.reason !== cases.waiting({ count: 0 }).reason)
    await event(events.finalizing(), { once });
  for (const { kind, live: object } of live) {
    const isDue = kind !== ApplicationCredential || isForced || (await answersLogin(context));
    if (isDue) await deleteUnowned(kind, object);
  }
}

/** Whether K-ORC may be creating the credential right now: it would appear after the revocation. */
function isMinting({ object: controlPlane, get }: TeardownContext): boolean {
  const credential = get(ApplicationCredential, namesOf(controlPlane).applicationCredential);
  return credential !== undefined && credential.status?.id === undefined;
}

/**
 * Deletes the secret of the credential, which would otherwise block a successor after an orphaning deletion; and last the login
 * by password, which has no owner, so that it works until then, whatever else is deleted with the ControlPlane.
 */
async function deleteSecrets({ object: controlPlane, remove }: TeardownContext): Promise<void> {
  const { applicationCredential, passwordCloud } = namesOf(controlPlane);
  for (const name of [applicationCredential, passwordCloud]) await remove(Secret, name);
}

function isOverdue({ metadata: { deletionTimestamp = '' } }: ControlPlane, now: number): boolean {
  return now - Date.parse(deletionTimestamp) > stallTimeout;
}
