// SPDX-License-Identifier: Apache-2.0
import { ConfigMap, CronJob, Role, RoleBinding, Secret, ServiceAccount } from '@forge/kube/kinds/builtin.ts';
import { ClusterSecretStore, PushSecret } from '@forge/kube/third-party/external-secrets.ts';
import { ready } from '@forge/runtime/steps/outcome.ts';
import { owned } from '@forge/runtime/steps/owned.ts';
import { reads } from '@forge/runtime/steps/reads.ts';
import { touched } from '@forge/runtime/steps/touched.ts';
import { keyNamesOf } from '../names.ts';
import { immutableConfigMap } from '../objects/config-map.ts';
import { concernsBackup } from '../objects/keys/backup.ts';
import { stagingSecret } from '../objects/keys/key-secret.ts';
import { rotationAccess } from '../objects/rotation/access.ts';
import { rotationCronJob } from '../objects/rotation/cron-job.ts';
import { rotationScripts } from '../objects/rotation/scripts.ts';
import { step } from '../step.ts';
import { config } from './config.ts';
import { applyRotation } from './keys/apply-rotation.ts';
import { backUpKeys } from './keys/back-up-keys.ts';
import { claimKeys } from './keys/claim-keys.ts';
import { credentialRepository, fernetRepository, type KeyContext, type KeyRepository } from './keys/key-repository.ts';
import { measureKeys } from './keys/measure-keys.ts';

/** Keys that sign tokens. */
export const fernetKeys = keysStep(fernetRepository);

/** Keys that encrypt the credential table. */
export const credentialKeys = keysStep(credentialRepository);

/** Generates the repository once, applies what the rotation Job stages, and keeps its CronJob and its backup. */
function keysStep(repository: KeyRepository) {
  const { flavour, noun, rows } = repository;
  return step({
    name: `${noun}Keys`,
    condition: `${noun}KeysReady`,
    needs: { config },
    owns: [
      owned(Secret, ['apply', 'create', 'adopt', 'replace', 'remove']),
      ServiceAccount,
      Role,
      RoleBinding,
      owned(ConfigMap, 'create'),
      CronJob,
      owned(PushSecret, 'apply', { predicate: concernsBackup }),
    ],
    reads: [
      // Keys that belong to nobody yet wake who would adopt them.
      reads(Secret, (keystone) => [keyNamesOf(keystone, flavour).keys]),
      reads(PushSecret, (keystone) => [keyNamesOf(keystone, flavour).backup], { predicate: concernsBackup }),
      reads(ClusterSecretStore, (_, { secretStore }) => [secretStore], {
        predicate: ({ before, after }) => before === undefined || after === undefined,
      }),
    ],
    touches: [touched(Secret, 'patch')],
    async run(context) {
      measureKeys(repository, context);
      const claimed = await claimKeys(repository, context);
      if ('outcome' in claimed) return claimed.outcome;
      const staging = await context.apply(stagingSecret(context.object, flavour));
      const rotated = await applyRotation(repository, { ...claimed, staging }, context);
      if (rotated !== undefined) return rotated;
      await scheduleRotation(repository, context);
      await backUpKeys(repository, claimed.production, context);
      return ready(rows.available());
    },
  });
}

async function scheduleRotation(
  { flavour }: KeyRepository,
  { object: keystone, needs, apply, create }: KeyContext,
): Promise<void> {
  const scripts = immutableConfigMap(
    keystone,
    keyNamesOf(keystone, flavour).rotateScriptBase,
    rotationScripts(flavour),
  );
  const { configMap } = needs.config;
  // One after the other: a binding is refused before its Role exists.
  for (const object of rotationAccess(keystone, flavour)) await apply(object);
  await create(scripts);
  await apply(rotationCronJob(keystone, flavour, { configMap, scripts: scripts.metadata.name }));
}
