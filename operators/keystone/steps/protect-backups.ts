// SPDX-License-Identifier: Apache-2.0
// The copy of the keys in the secret store is what lost keys are restored from. External Secrets would destroy it: when the
// Secret is gone it deletes the copy, and when other content took its place it pushes that, both at its next refresh, within
// an hour.
//
// So this step needs no other and runs in every pass, whatever else the Keystone waits for. A PushSecret whose keys are lost
// gets policies by which it neither deletes nor overwrites. The keys' own step lifts them when the keys are back. Until the
// operator has seen the loss the copy is at risk; when the change is refused, it is tried again every 15 seconds.
import { Secret } from '@forge/kube/kinds/builtin.ts';
import { PushSecret } from '@forge/kube/third-party/external-secrets.ts';
import { seconds } from '@forge/runtime/environment/duration.ts';
import { isControlledBy } from '@forge/runtime/objects/owner-reference.ts';
import { degraded, ready } from '@forge/runtime/steps/outcome.ts';
import { owned } from '@forge/runtime/steps/owned.ts';
import { reads } from '@forge/runtime/steps/reads.ts';
import { backupNamesOf, keyTypes, keyNamesOf } from '../api/names.ts';
import { backupPredicate, isWorthBackup, protectedBackup } from '../objects/keys/backup.ts';
import { step } from './step.ts';

const afterFailure = seconds(15);

/** Keeps the copies of keys that are lost. */
export const protectBackups = step({
  name: 'ProtectBackups',
  owns: [owned(PushSecret, 'apply', { predicate: backupPredicate })],
  reads: [
    reads(Secret, (keystone) => keyTypes.map((keyType) => keyNamesOf(keystone, keyType).keys)),
    reads(PushSecret, backupNamesOf, { predicate: backupPredicate }),
  ],
  async run({ object: keystone, services: { secretStore: store }, get, apply, log }) {
    const lost = keyTypes.filter((keyType) => {
      return !isWorthBackup(get(Secret, keyNamesOf(keystone, keyType).keys), keystone);
    });
    let isProtected = true;
    for (const keyType of lost) {
      const live = get(PushSecret, keyNamesOf(keystone, keyType).backup);
      if (live === undefined || live.metadata.deletionTimestamp !== undefined || !isControlledBy(live, keystone))
        continue;
      try {
        await apply(protectedBackup(keystone, keyType, store, live));
      } catch (error) {
        isProtected = false;
        log.warn('cannot protect the backup of keys that are lost', { pushSecret: live.metadata.name, error });
      }
    }
    if (isProtected) return ready({ output: { lost } });
    return degraded('BackupsUnprotected', '', { output: { lost }, recheck: afterFailure });
  },
});
