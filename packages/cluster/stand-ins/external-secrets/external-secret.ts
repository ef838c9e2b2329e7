// SPDX-License-Identifier: Apache-2.0
import { Secret } from '@forge/kube/kinds/builtin.ts';
import { refOf, type ObjectRef } from '@forge/kube/objects/object.ts';
import { ClusterSecretStore, ExternalSecret } from '@forge/kube/third-party/external-secrets.ts';
import { watch, type Controller, type ReconcileContext } from '@forge/runtime/controller/controller.ts';
import { releaseObject, withFinalizers } from '@forge/runtime/controller/finalizers.ts';
import { timestamp } from '@forge/runtime/environment/clock.ts';
import type { Duration } from '@forge/runtime/environment/duration.ts';
import { controllerOf, isControlledBy } from '@forge/runtime/objects/owner-reference.ts';
import { removeObject } from '../../objects/remove-object.ts';
import { isTrue, withCondition } from '../../objects/with-condition.ts';
import { saveStatus } from '../save-status.ts';
import { specOrMetadataPredicate } from '../stand-in.ts';
import { isStale, syncedVersion, untilRefresh } from './refresh.ts';
import { Conflicting, syncTarget, type SyncResult } from './sync-target.ts';
import { isIntact, managedLabel, targetName } from './target-secret.ts';
import type { Vaults } from './vault.ts';

const finalizer = 'externalsecrets.external-secrets.io/externalsecret-cleanup';

/** The controller of ExternalSecrets: creates and updates their Secrets. */
export function externalSecretController(vaults: Vaults): Controller {
  return {
    name: 'external-secrets',
    for: ExternalSecret,
    predicate: specOrMetadataPredicate,
    workers: 1,
    watches: [
      watch(Secret, ownerOf, { predicate: ({ before, after }) => isManaged(after ?? before) }),
      watch(ClusterSecretStore, () => []),
    ],
    async reconcile(ref, context) {
      const found = context.cache.get(ExternalSecret, ref);
      if (found === undefined) return undefined;
      if (found.metadata.deletionTimestamp !== undefined) return await finalize(found, context);
      const external = await withFinalizers(ExternalSecret, found, [finalizer], context);
      const target = context.cache.get(Secret, { namespace: ref.namespace, name: targetName(external) });
      if (!isDue(external, target, context)) return untilRefresh(external, context.clock);
      return await sync(external, target, vaults, context);
    },
  };
}

function ownerOf(secret: Secret): ObjectRef[] {
  const owner = controllerOf(secret);
  return owner?.kind === ExternalSecret.kind ? [{ namespace: secret.metadata.namespace, name: owner.name }] : [];
}

function isManaged(secret: Secret | undefined): boolean {
  return secret?.metadata.labels?.[managedLabel] === 'true';
}

async function finalize(external: ExternalSecret, context: ReconcileContext): Promise<undefined> {
  const { target } = external.spec;
  if (target?.deletionPolicy === 'Delete') {
    const secret = context.cache.get(Secret, { ...refOf(external), name: targetName(external) });
    if (secret !== undefined && isControlledBy(secret, external)) await removeObject(context.client, Secret, secret);
  }
  await releaseObject(ExternalSecret, external, { finalizers: (each) => each === finalizer }, context);
}

function isDue(external: ExternalSecret, target: Secret | undefined, { clock }: ReconcileContext): boolean {
  const { status, spec } = external;
  if (status?.refreshTime === undefined) return true;
  const hasTarget = !['None', 'Merge'].includes(spec.target?.creationPolicy ?? 'Owner');
  const isRetained = isTrue(status.conditions, 'Ready') && status.binding?.name === undefined;
  if (hasTarget && !isIntact(target) && !isRetained) return true;
  if (spec.refreshPolicy === 'OnChange') return isStale(external);
  const left = untilRefresh(external, clock);
  return left !== undefined && (isStale(external) || left <= 0);
}

async function sync(
  external: ExternalSecret,
  existing: Secret | undefined,
  vaults: Vaults,
  context: ReconcileContext,
): Promise<Duration | undefined> {
  const { clock } = context;
  const refreshTime = timestamp(clock);
  let result: SyncResult;
  try {
    result = await syncTarget(external, existing, vaults, context);
  } catch (error) {
    return await failed(external, error, context);
  }
  const conditions = withCondition(external.status?.conditions, {
    type: 'Ready',
    status: 'True',
    reason: result.reason,
    message: result.message,
    lastTransitionTime: timestamp(clock),
  });
  const binding = result.reason === 'SecretSynced' && { binding: { name: targetName(external) } };
  const synced = { refreshTime, syncedResourceVersion: syncedVersion(external) };
  const status = { ...external.status, ...synced, ...binding, conditions };
  await saveStatus(ExternalSecret, external, status, context);
  return untilRefresh({ ...external, status }, clock);
}

/** Reports the failure, with its cause in an Event only, and retries unless that cannot help. */
async function failed(external: ExternalSecret, error: unknown, context: ReconcileContext): Promise<undefined> {
  const message = error instanceof Conflicting ? error.message : 'could not get secret data from provider';
  const conditions = withCondition(external.status?.conditions, {
    type: 'Ready',
    status: 'False',
    reason: 'SecretSyncedError',
    message,
    lastTransitionTime: timestamp(context.clock),
  });
  const binding = error instanceof Conflicting && { binding: { name: targetName(external) } };
  const cause = error instanceof Error ? error.message : String(error);
  await context.event(external, { type: 'Warning', reason: 'UpdateFailed', message: cause });
  await saveStatus(ExternalSecret, external, { ...external.status, ...binding, conditions }, context);
  if (!(error instanceof Conflicting)) throw error;
}
