// SPDX-License-Identifier: Apache-2.0
import { User } from '@forge/kube/third-party/korc.ts';
import { isControlledBy } from '@forge/runtime/objects/owner-reference.ts';
import { failOnError } from '@forge/runtime/steps/fail-on-error.ts';
import { namesOf } from '../../api/names.ts';
import { korcReady as cases } from '../../conditions/korc.ts';
import type { MintContext } from './mint-context.ts';

/**
 * Deletes the import of an administrator whose id has changed because Keystone or its database was replaced: K-ORC never checks
 * again, and would mint for a user that no longer exists. The next pass imports the current administrator.
 *
 * @returns whether such an import is still there.
 */
export async function dropStaleImport(
  administrator: string,
  { object: controlPlane, get, deleteUnowned }: Pick<MintContext, 'object' | 'get' | 'deleteUnowned'>,
): Promise<boolean> {
  const user = get(User, namesOf(controlPlane).user);
  const { id } = user?.status ?? {};
  if (user === undefined || id === undefined || id === administrator) return false;
  if (!isControlledBy(user, controlPlane)) return false;
  if (user.metadata.deletionTimestamp === undefined) {
    await failOnError(
      (error) => cases.importsRefused({ error }),
      () => deleteUnowned(User, user),
    );
  }
  return true;
}
