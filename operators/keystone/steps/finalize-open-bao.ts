// SPDX-License-Identifier: Apache-2.0
import { PushSecret } from '@forge/kube/third-party/external-secrets.ts';
import { isControlledBy } from '@forge/runtime/objects/owner-reference.ts';
import { ready, waiting } from '@forge/runtime/steps/outcome.ts';
import { reads } from '@forge/runtime/steps/reads.ts';
import { touched } from '@forge/runtime/steps/touched.ts';
import { deletionEvents, secretsFinalized } from '../contract/deletion.ts';
import { secretsReady } from '../contract/secrets.ts';
import { backupNamesOf, isOrphaning, openBaoFinalizer, pushSecretFinalizer } from '../names.ts';
import { concernsBackup } from '../objects/keys/backup.ts';
import { deletionStep } from '../step.ts';

/**
 * Waits until External Secrets has deleted the backups: a PushSecret that goes before External Secrets holds it leaves its
 * copy in the secret store for ever.
 */
export const finalizeOpenBao = deletionStep({
  name: 'FinalizeOpenBao',
  finalizer: openBaoFinalizer,
  condition: 'SecretsReady',
  reads: [reads(PushSecret, backupNamesOf, { predicate: concernsBackup })],
  touches: [touched(PushSecret, 'delete', 'patch')],
  async run({ object: keystone, get, patch, deleteForeign, event }) {
    const backups = () =>
      backupNamesOf(keystone)
        .map((name) => get(PushSecret, name))
        .filter((backup) => backup !== undefined)
        .filter((backup) => isControlledBy(backup, keystone) && !isOrphaning(keystone));
    const live = backups().filter(({ metadata }) => metadata.deletionTimestamp === undefined);
    // One that protected the copy of missing keys would leave it in the secret store, and is never held.
    for (const backup of live) await patch(PushSecret, backup, { spec: { deletionPolicy: 'Delete' } });
    const unadopted = live.find(({ metadata }) => !metadata.finalizers?.includes(pushSecretFinalizer));
    if (unadopted !== undefined) return waiting(secretsFinalized.notAdopted({ name: unadopted.metadata.name }));

    if (live.length > 0) await event(deletionEvents.finalizingOpenBao());
    await Promise.all(live.map((backup) => deleteForeign(PushSecret, backup)));

    const [left] = backups();
    if (left !== undefined) return waiting(secretsFinalized.notGone({ name: left.metadata.name }));
    return ready(secretsReady.available(), { event: deletionEvents.openBaoFinalized() });
  },
});
