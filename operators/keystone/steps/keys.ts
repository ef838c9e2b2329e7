// SPDX-License-Identifier: Apache-2.0
// Keys are the one thing that cannot be re-created: without the fernet keys all tokens are void, without the credential keys
// the rows that they encrypted are lost. So keys that exist are never overwritten by generated ones (keys/claim-keys.ts).
//
// The order: claim the production Secret, or generate it where there was never one; take over what the rotation Job has
// staged, if it fits (keys/apply-rotation.ts), and start the pass over; then keep the CronJob; and last have External
// Secrets copy the keys to the secret store.
//
// Keys may be lost, emptied, or those of another database. Fernet keys that are missing are generated anew. Credential keys
// are not once there is a schema: the step blocks until somebody restores them, and protect-backups.ts keeps the copy
// meanwhile.
import { ConfigMap, CronJob, Role, RoleBinding, Secret, ServiceAccount } from '@forge/kube/kinds/builtin.ts';
import { ClusterSecretStore, PushSecret } from '@forge/kube/third-party/external-secrets.ts';
import { modified } from '@forge/runtime/steps/modified.ts';
import { ready } from '@forge/runtime/steps/outcome.ts';
import { owned } from '@forge/runtime/steps/owned.ts';
import { reads } from '@forge/runtime/steps/reads.ts';
import { keyNamesOf } from '../api/names.ts';
import { immutableConfigMap } from '../objects/config-map.ts';
import { backupPredicate } from '../objects/keys/backup.ts';
import { stagingSecret } from '../objects/keys/key-secret.ts';
import { rotationAccess } from '../objects/rotation/access.ts';
import { rotationCronJob } from '../objects/rotation/cron-job.ts';
import { rotationScripts } from '../objects/rotation/scripts.ts';
import { config } from './config.ts';
import { applyRotation } from './keys/apply-rotation.ts';
import { backUpKeys } from './keys/back-up-keys.ts';
import { claimKeys } from './keys/claim-keys.ts';
import { credentialRepository, fernetRepository, type KeyContext, type KeyRepository } from './keys/key-repository.ts';
import { measureKeys } from './keys/measure-keys.ts';
import { protectBackups } from './protect-backups.ts';
import { step } from './step.ts';

/** Keys that sign tokens. */
export const fernetKeys = keysStep(fernetRepository);

/** Keys that encrypt the credential table. */
export const credentialKeys = keysStep(credentialRepository);

function keysStep(repository: KeyRepository) {
  const { keyType, noun, cases } = repository;
  return step({
    name: `${noun}Keys`,
    condition: `${noun}KeysReady`,
    needs: { config, protectBackups },
    owns: [
      owned(Secret, ['apply', 'create', 'adopt', 'replace', 'remove']),
      ServiceAccount,
      Role,
      RoleBinding,
      owned(ConfigMap, 'create'),
      CronJob,
      owned(PushSecret, 'apply', { predicate: backupPredicate }),
    ],
    reads: [
      // Keys that belong to nobody yet wake who would adopt them.
      reads(Secret, (keystone) => [keyNamesOf(keystone, keyType).keys]),
      reads(PushSecret, (keystone) => [keyNamesOf(keystone, keyType).backup], { predicate: backupPredicate }),
      reads(ClusterSecretStore, (_, { secretStore }) => [secretStore], {
        predicate: ({ before, after }) => before === undefined || after === undefined,
      }),
    ],
    modifies: [modified(Secret, 'patch')],
    async run(context) {
      measureKeys(repository, context);
      const claimed = await claimKeys(repository, context);
      if ('outcome' in claimed) return claimed.outcome;
      const staging = await context.apply(stagingSecret(context.object, keyType));
      const rotated = await applyRotation(repository, { ...claimed, staging }, context);
      if (rotated !== undefined) return rotated;
      await scheduleRotation(repository, context);
      await backUpKeys(repository, claimed.production, context);
      return ready(cases.available());
    },
  });
}

async function scheduleRotation(
  { keyType }: KeyRepository,
  { object: keystone, needs, apply, create }: KeyContext,
): Promise<void> {
  const scripts = immutableConfigMap(
    keystone,
    keyNamesOf(keystone, keyType).rotateScriptBase,
    rotationScripts(keyType),
  );
  const { configMap } = needs.config;
  // One after the other: a binding is refused before its Role exists.
  for (const object of rotationAccess(keystone, keyType)) await apply(object);
  await create(scripts);
  await apply(rotationCronJob(keystone, keyType, { configMap, scripts: scripts.metadata.name }));
}
