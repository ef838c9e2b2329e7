// SPDX-License-Identifier: Apache-2.0
import { Secret } from '@forge/kube/kinds/builtin.ts';
import { blocked, waiting, type Unsatisfied } from '@forge/runtime/steps/outcome.ts';
import { keyNamesOf } from '../../api/names.ts';
import { claimedMetadata, claimOn, keepsKeys, keysForOf } from '../../objects/keys/key-claim.ts';
import { holdsKeys } from '../../objects/keys/key-format.ts';
import { keySecret } from '../../objects/keys/key-secret.ts';
import { hasSyncedSchema } from '../../objects/synced-schema.ts';
import type { KeyContext, KeyRepository } from './key-repository.ts';

/**
 * The production Secret of a repository; or the outcome when there is none to go on with.
 *
 * Guarantees: keys that exist are never replaced by generated ones. Where the database outlives its Keystone, so do they; and
 * no Keystone uses keys of another database unless the user asks for it.
 */
export async function claimKeys(
  repository: KeyRepository,
  context: KeyContext,
): Promise<{ production: Secret } | { outcome: Unsatisfied<object> }> {
  const { keyType, cases } = repository;
  const { object: keystone, get, create, patch, random } = context;
  const name = keyNamesOf(keystone, keyType).keys;
  const secret = get(Secret, name);
  if (secret === undefined) return { outcome: await generateKeys(repository, context) };
  if (secret.metadata.deletionTimestamp !== undefined) {
    return { outcome: waiting(cases.terminating({ secret: name })) };
  }
  const claim = claimOn(secret, keystone);
  if (claim === 'ofAnotherDatabase') {
    return { outcome: blocked(cases.ofAnotherDatabase({ secret: name, digest: keysForOf(keystone) })) };
  }
  if (claim !== 'controlled' && !holdsKeys(secret.data ?? {})) {
    return { outcome: blocked(cases.empty({ secret: name })) };
  }
  // It is refused, with the reason in the condition.
  if (claim === 'controlled')
    return { production: await create(keySecret(keystone, keyType, random), { adopt: true }) };
  return { production: await patch(Secret, secret, { metadata: claimedMetadata(keystone, secret) }, { exact: true }) };
}

async function generateKeys(repository: KeyRepository, context: KeyContext): Promise<Unsatisfied<object>> {
  const { keyType, cases, missing, generated } = repository;
  const { object: keystone, create, random } = context;
  if (missing !== undefined && hasSyncedSchema(keystone)) {
    return blocked(missing({ secret: keyNamesOf(keystone, keyType).keys }));
  }
  await create(keySecret(keystone, keyType, random), { retainOnDelete: keepsKeys(keystone) });
  return waiting(cases.generating(), { event: generated() });
}
