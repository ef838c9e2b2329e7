// SPDX-License-Identifier: Apache-2.0
import { Namespace } from '@forge/kube/kinds/builtin.ts';
import { ApplicationCredential } from '@forge/kube/third-party/korc.ts';
import { IdentityError } from '@forge/openstack/identity-api.ts';
import { HttpError } from '@forge/runtime/http/http-error.ts';
import { isFault } from '@forge/runtime/steps/fault.ts';
import { namesOf } from '../../api/names.ts';
import { teardownEvents as events } from '../../conditions/deletion.ts';
import { revokeLeftovers } from '../korc/revoke-leftovers.ts';
import type { TeardownContext } from './korc-children.ts';
import { passwordsOf } from './redirect-logins.ts';

/** `done`: none is left; `pending`: Keystone does not answer; `impossible`: no password is left to ask it with. */
export type Revocation = 'done' | 'pending' | 'impossible';

/** Revokes all application credentials of the ControlPlane, whatever K-ORC does. */
export async function revokeCredentials(context: TeardownContext): Promise<Revocation> {
  const passwords = passwordsOf(context);
  for (const password of passwords) {
    try {
      await revokeLeftovers(context, { password });
      return 'done';
    } catch (error) {
      if (!(error instanceof HttpError) && !(error instanceof IdentityError)) throw error;
      context.log.info('Keystone does not tell which application credentials are left', { error });
    }
  }
  return passwords.length === 0 ? 'impossible' : 'pending';
}

/** The credential's id in Keystone; undefined when none was ever minted. */
export function mintedId({ object: controlPlane, get }: TeardownContext): string | undefined {
  const { status } = get(ApplicationCredential, namesOf(controlPlane).applicationCredential) ?? {};
  return controlPlane.status?.adminApplicationCredential?.id ?? status?.id;
}

/**
 * Reports which credential stays valid, if it is known. If the namespace is being deleted, the Event is about the namespace,
 * because no Events can be created in it any more.
 */
export async function reportUnrevoked(
  revocation: Exclude<Revocation, 'done'>,
  context: TeardownContext,
): Promise<void> {
  const { event, log } = context;
  const id = mintedId(context);
  if (id === undefined) return;
  const note = (revocation === 'pending' ? events.notRevoked : events.maybeNotRevoked)({ id });
  log.warn(note.message, { id });
  const namespace = await terminatingNamespace(context);
  await event(note, namespace && { about: namespace });
}

/** The namespace, if it is being deleted. */
async function terminatingNamespace({ object, fetch }: TeardownContext): Promise<Namespace | undefined> {
  try {
    const namespace = await fetch(Namespace, { name: object.metadata.namespace ?? '' });
    return namespace?.metadata.deletionTimestamp === undefined ? undefined : namespace;
  } catch (error) {
    // An operator without permission to read it must not be blocked by that.
    if (isFault(error)) throw error;
    return undefined;
  }
}
