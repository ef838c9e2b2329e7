// SPDX-License-Identifier: Apache-2.0
import { PushSecret } from '@forge/kube/third-party/external-secrets.ts';
import { isControlledBy } from '@forge/runtime/objects/owner-reference.ts';
import { modified } from '@forge/runtime/steps/modified.ts';
import { ready, waiting } from '@forge/runtime/steps/outcome.ts';
import { reads } from '@forge/runtime/steps/reads.ts';
import { backupNamesOf, isOrphaning, openBaoFinalizer, pushSecretFinalizer } from '../api/names.ts';
import { deletionEvents, secretsFinalized } from '../conditions/deletion.ts';
import { backupPredicate } from '../objects/keys/backup.ts';
import { deletionStep } from './step.ts';

/**
 * Waits until External Secrets has deleted the backups: a PushSecret that is deleted before External Secrets has added its
 * finalizer leaves its copy in the secret store forever.
 */
export const finalizeOpenBao = deletionStep({
  name: 'FinalizeOpenBao',
  finalizer: openBaoFinalizer,
  condition: { type: 'SecretsReady', helperOf: 'Secrets' },
  reads: [reads(PushSecret, backupNamesOf, { predicate: backupPredicate })],
  modifies: [modified(PushSecret, 'delete', 'patch')],
  async run({ object: keystone, get, patch, deleteUnowned, event }) {
    const backups = () =>
      backupNamesOf(keystone)
        .map((name) => get(PushSecret, name))
        .filter((backup) => backup !== undefined)
        .filter((backup) => isControlledBy(backup, keystone) && !isOrphaning(keystone));
    const found = backups().filter(({ metadata }) => metadata.deletionTimestamp === undefined);
    // A PushSecret that protects the copy of lost keys would leave it in the secret store, and never gets the finalizer.
    const change = { spec: { deletionPolicy: 'Delete' } } as const;
    // At this version: one that the garbage collector has orphaned meanwhile stays.
    const live = await Promise.all(found.map((backup) => patch(PushSecret, backup, change, { exact: true })));
    const unadopted = live.find(({ metadata }) => !metadata.finalizers?.includes(pushSecretFinalizer));
    if (unadopted !== undefined) return waiting(secretsFinalized.notAdopted({ name: unadopted.metadata.name }));

    if (live.length > 0) await event(deletionEvents.finalizingOpenBao());
    await Promise.all(live.map((backup) => deleteUnowned(PushSecret, backup, { exact: true })));

    const [left] = backups();
    if (left !== undefined) return waiting(secretsFinalized.notGone({ name: left.metadata.name }));
    return ready({ event: deletionEvents.openBaoFinalized() });
  },
});
