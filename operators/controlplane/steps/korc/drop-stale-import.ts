// SPDX-License-Identifier: Apache-2.0
import { User } from '@forge/kube/third-party/korc.ts';
import { isControlledBy } from '@forge/runtime/objects/owner-reference.ts';
import { failOnError } from '@forge/runtime/steps/fail-on-error.ts';
import { namesOf } from '../../api/names.ts';
import { korcReady as cases } from '../../conditions/korc.ts';
import type { MintContext } from './mint-context.ts';

/**
 * Deletes the import of an administrator that has another id by now, in a Keystone that was replaced or a database that was:
 * K-ORC never looks again, and would mint for somebody who is gone. The next pass imports the one of today.
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
