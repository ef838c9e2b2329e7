// SPDX-License-Identifier: Apache-2.0
import { Secret } from '@forge/kube/kinds/builtin.ts';
import { jsonEqual } from '@forge/kube/objects/json.ts';
import { refOf } from '@forge/kube/objects/object.ts';
import { ExternalSecret } from '@forge/kube/third-party/external-secrets.ts';
import type { ReconcileContext } from '@forge/runtime/controller/controller.ts';
import { controllerOf } from '@forge/runtime/objects/owner-reference.ts';
import { NotReadyError } from '@forge/runtime/queue/reconcile-error.ts';
import { removeObject } from '../../objects/remove-object.ts';
import { isTrue } from '../../objects/with-condition.ts';
import { processingFirst, providerData } from './provider-data.ts';
import { inSession, mountOf, storeOf } from './secret-store-client.ts';
import {
  createdByLabel,
  creatorOf,
  managedLabel,
  refersTo,
  targetManager,
  targetName,
  targetSecret,
} from './target-secret.ts';
import type { Vaults } from './vault.ts';

/** A failure that is not retried before the next change or refresh. */
export class Conflicting extends Error {
  override readonly name = 'Conflicting';
}

/** The result of a sync. */
export interface SyncResult {
  reason: 'SecretSynced' | 'SecretDeleted' | 'SecretMissing';
  message: string;
}

/** Reads the provider and writes the Secret according to the policies. */
export async function syncTarget(
  external: ExternalSecret,
  existing: Secret | undefined,
  vaults: Vaults,
  context: ReconcileContext,
): Promise<SyncResult> {
  const { client, event } = context;
  const { values, missing } = await readProvider(external, vaults, context);
  for (const message of missing) await event(external, { type: 'Normal', reason: 'MissingProviderSecret', message });
  const { creationPolicy = 'Owner', deletionPolicy = 'Retain' } = external.spec.target ?? {};
  if (Object.keys(values).length === 0 && deletionPolicy === 'Delete') {
    const message = 'secret deleted due to DeletionPolicy=Delete';
    if (existing !== undefined && creationPolicy === 'Owner') {
      if (await removeObject(client, Secret, existing)) {
        await event(external, { type: 'Normal', reason: 'Deleted', message });
      }
    }
    return { reason: 'SecretDeleted', message };
  }
  if (creationPolicy === 'Merge' && existing === undefined) {
    return { reason: 'SecretMissing', message: 'secret will not be created due to CreationPolicy=Merge' };
  }
  if (creationPolicy === 'Owner') await claim(external, existing, context);
  if (creationPolicy !== 'None') {
    await writeTarget(external, existing, values, context);
  }
  return { reason: 'SecretSynced', message: 'secret synced' };
}

function readProvider(external: ExternalSecret, vaults: Vaults, context: ReconcileContext) {
  const { namespace = '' } = external.metadata;
  return processingFirst(external, async () => {
    const store = storeOf(external.spec.secretStoreRef ?? {}, context);
    if (!isTrue(store.status?.conditions, 'Ready')) {
      throw new NotReadyError(`ClusterSecretStore "${store.metadata.name}" is not ready`);
    }
    return await inSession({ namespace, store, vaults }, context, (session) =>
      providerData(external, mountOf(store), session),
    );
  });
}

/** Writes the Secret unless it is up to date. */
async function writeTarget(
  external: ExternalSecret,
  existing: Secret | undefined,
  values: Readonly<Record<string, string>>,
  { client, event }: ReconcileContext,
): Promise<void> {
  const wanted = targetSecret(external, existing, values);
  const fieldManager = targetManager(external);
  if (existing === undefined) {
    await client.create(Secret, wanted, { fieldManager });
    await event(external, { type: 'Normal', reason: 'Created', message: 'secret created' });
  } else if (!jsonEqual(existing, wanted)) {
    await client.update(Secret, wanted, { fieldManager });
    await event(external, { type: 'Normal', reason: 'Updated', message: 'secret updated' });
  }
}

/**
 * Ensures that no other owner has the Secret, and deletes Secrets that this ExternalSecret created under other names.
 */
async function claim(
  external: ExternalSecret,
  existing: Secret | undefined,
  { client, cache, event }: ReconcileContext,
): Promise<void> {
  const owner = existing && controllerOf(existing);
  if (existing !== undefined && owner !== undefined && !refersTo(owner, external)) {
    // Even a Secret of another owner gets the label.
    await client.patch(Secret, refOf(existing), 'merge', { metadata: { labels: { [managedLabel]: 'true' } } });
    throw new Conflicting(
      owner.kind === ExternalSecret.kind
        ? 'target is owned by another ExternalSecret'
        : 'failed to take ownership of target secret',
    );
  }
  const creator = creatorOf(external);
  for (const secret of cache.list(Secret, { namespace: external.metadata.namespace })) {
    const isOurs = secret.metadata.labels?.[createdByLabel] === creator;
    if (!isOurs || secret.metadata.name === targetName(external)) continue;
    await removeObject(client, Secret, secret);
    await event(external, { type: 'Normal', reason: 'Deleted', message: 'secret deleted because it was orphaned' });
  }
}
