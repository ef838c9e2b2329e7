// SPDX-License-Identifier: Apache-2.0
import { Secret } from '@forge/kube/kinds/builtin.ts';
import { ApplicationCredential } from '@forge/kube/third-party/korc.ts';
import { IdentityError } from '@forge/openstack/identity-api.ts';
import { HttpError } from '@forge/runtime/http/http-error.ts';
import { ready, waiting } from '@forge/runtime/steps/outcome.ts';
import { owned } from '@forge/runtime/steps/owned.ts';
import { reads } from '@forge/runtime/steps/reads.ts';
import { touched } from '@forge/runtime/steps/touched.ts';
import { minutes, seconds } from '@forge/runtime/time/duration.ts';
import { teardown as rows, teardownEvents as events } from '../../contract/deletion.ts';
import { korcReady } from '../../contract/korc.ts';
import type { ControlPlane } from '../../control-plane.ts';
import { namesOf, passwordRefOf, teardownFinalizer } from '../../names.ts';
import { concernsSecret } from '../../objects/secret-changes.ts';
import { deletionStep } from '../../step.ts';
import { revokeLeftovers } from '../korc/revoke-leftovers.ts';
import { forceRelease, referrers } from './force-release.ts';
import { korcChildren, korcPlaces, korcReads, remainingChildren, type TeardownContext } from './korc-children.ts';
import { answersLogin, passwordOf, redirectLogins } from './redirect-logins.ts';

/** K-ORC gets this much time, and the process sees at least that much of it; who has seen so much needs no clock to tell. */
const stallTimeout = minutes(5);
const leastWatch = seconds(60);
const longestWatch = seconds(330);

/**
 * Deletes the objects of K-ORC while Keystone still runs, so that K-ORC revokes the application credential; everything else
 * goes with the ControlPlane. When K-ORC does not finish in time, its finalizers are removed.
 */
export const teardown = deletionStep({
  name: 'Teardown',
  finalizer: teardownFinalizer,
  condition: 'KORCReady',
  owns: [owned(Secret, 'apply', { predicate: concernsSecret })],
  reads: [
    ...korcReads,
    ...referrers,
    reads(
      Secret,
      (controlPlane) => {
        const { passwordCloud, cloudsYaml } = namesOf(controlPlane);
        return [passwordRefOf(controlPlane).name, passwordCloud, cloudsYaml];
      },
      { predicate: concernsSecret },
    ),
  ],
  touches: [...korcPlaces.map(({ kind }) => touched(kind, 'patch', 'delete', 'release')), touched(Secret, 'release')],
  async run(context) {
    const { object: controlPlane, clock, seenFor } = context;
    const watched = seenFor('deletion', true);
    const hasWaited = watched >= leastWatch;
    const isStalled = watched >= longestWatch || (hasWaited && isOverdue(controlPlane, clock.now()));
    await deleteChildren(context, isStalled);
    const left = await remainingChildren(context, { live: isStalled });
    // K-ORC may be gone, and Keystone may not answer when that is certain: it is asked before, once K-ORC had its chance.
    const mayBeLeft = left.length > 0 && !hasWaited ? false : await hasLeftovers(context);
    if (!isStalled && (left.length > 0 || mayBeLeft)) return waiting(rows.waiting({ count: left.length }));
    if (left.length === 0) return ready(korcReady.minted(), { event: events.complete() });
    await forceRelease(left, context);
    const names = left.map(({ live }) => live.metadata.name).join(' ');
    return ready(korcReady.minted(), { event: events.stalled({ names }) });
  },
});

/** Deletes what is there; the ApplicationCredential only while Keystone answers, else K-ORC may take it for revoked. */
async function deleteChildren(context: TeardownContext, isStalled: boolean): Promise<void> {
  const { object: controlPlane, deleteForeign, event } = context;
  const children = korcChildren(context);
  if (children.length === 0) return;
  await redirectLogins(children, context);
  const live = children.filter(({ live: { metadata } }) => metadata.deletionTimestamp === undefined);
  // The condition is of another reason while the API server refuses a deletion.
  const once = controlPlane.metadata.deletionTimestamp ?? '';
  if (live.length > 0 && reasonOf(controlPlane) !== rows.waiting({ count: 0 }).reason)
    await event(events.finalizing(), { once });
  for (const { kind, live: object } of live) {
    const isDue = kind !== ApplicationCredential || isStalled || (await answersLogin(context));
    if (isDue) await deleteForeign(kind, object);
  }
}

/** Revokes what K-ORC did not; gives whether a credential may be left that could be revoked later, when Keystone answers. */
async function hasLeftovers(context: TeardownContext): Promise<boolean> {
  const password = passwordOf(context);
  if (password === undefined) return false;
  try {
    await revokeLeftovers(context, { password });
    return false;
  } catch (error) {
    if (!(error instanceof HttpError) && !(error instanceof IdentityError)) throw error;
    context.log.info('Keystone does not tell which application credentials are left', { error });
    // None when none was ever written.
    return context.object.status?.adminApplicationCredential !== undefined;
  }
}

function reasonOf({ status }: ControlPlane): string | undefined {
  return status?.conditions?.find(({ type }) => type === 'KORCReady')?.reason;
}

function isOverdue({ metadata: { deletionTimestamp = '' } }: ControlPlane, now: number): boolean {
  return now - Date.parse(deletionTimestamp) > stallTimeout;
}
