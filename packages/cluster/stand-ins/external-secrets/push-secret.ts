// SPDX-License-Identifier: Apache-2.0
import { Secret } from '@forge/kube/kinds/builtin.ts';
import { PushSecret } from '@forge/kube/third-party/external-secrets.ts';
import type { Controller, ReconcileContext } from '@forge/runtime/controller/controller.ts';
import { releaseObject, withFinalizers } from '@forge/runtime/controller/finalizers.ts';
import { timestamp } from '@forge/runtime/environment/clock.ts';
import { seconds, type Duration } from '@forge/runtime/environment/duration.ts';
import { conditionOf, withCondition } from '../../objects/with-condition.ts';
import { saveStatus } from '../save-status.ts';
import { specOrMetadataPredicate } from '../stand-in.ts';
import { deleteRemote, entryName, push, type PushEntry } from './push-entry.ts';
import { isStale, syncedVersion, untilRefresh } from './refresh.ts';
import { inSession, mountOf, storeOf, type StoreRef } from './secret-store-client.ts';
import type { Vaults } from './vault.ts';

/** The finalizer of PushSecrets whose deletionPolicy is Delete. */
const pushFinalizer = 'pushsecret.externalsecrets.io/finalizer';

/** The pushed entries of a PushSecret, by store and name. */
type Synced = NonNullable<NonNullable<PushSecret['status']>['syncedPushSecrets']>;

/** When a PushSecret with a new finalizer is reconciled again. */
const afterFinalizer = seconds(1);

/** The controller of PushSecrets: copies Secrets into stores, and deletes the copies. */
export function pushSecretController(vaults: Vaults): Controller {
  return {
    name: 'pushsecret',
    for: PushSecret,
    predicate: specOrMetadataPredicate,
    workers: 1,
    async reconcile(ref, context) {
      const found = context.cache.get(PushSecret, ref);
      if (found === undefined) return undefined;
      const deletes = found.spec.deletionPolicy === 'Delete';
      const isHeld = (found.metadata.finalizers ?? []).includes(pushFinalizer);
      if (found.metadata.deletionTimestamp !== undefined) {
        if (isHeld) await finalize(found, vaults, context);
        return undefined;
      }
      if (deletes && !isHeld) {
        await withFinalizers(PushSecret, found, [pushFinalizer], context);
        return afterFinalizer;
      }
      if (!deletes && isHeld) await release(found, context);
      if (!isDue(found, context)) return untilRefresh(found, context.clock);
      return await sync(found, vaults, context);
    },
  };
}

async function release(pushSecret: PushSecret, context: ReconcileContext): Promise<void> {
  await releaseObject(PushSecret, pushSecret, { finalizers: (each) => each === pushFinalizer }, context);
}

async function finalize(pushSecret: PushSecret, vaults: Vaults, context: ReconcileContext): Promise<void> {
  try {
    await deleteEntries(pushSecret, pushSecret.status?.syncedPushSecrets ?? {}, vaults, context);
  } catch (error) {
    const message = `Failed to Delete Secrets from Provider: ${messageOf(error)}`;
    await report(pushSecret, { status: 'False', reason: 'Errored', message }, {}, context);
    throw error;
  }
  await release(pushSecret, context);
}

function isDue(pushSecret: PushSecret, { clock }: ReconcileContext): boolean {
  if (pushSecret.status?.refreshTime === undefined || isStale(pushSecret)) return true;
  if (conditionOf(pushSecret.status.conditions, 'Ready')?.status === 'False') return true;
  return (untilRefresh(pushSecret, clock) ?? 1) <= 0;
}

async function sync(pushSecret: PushSecret, vaults: Vaults, context: ReconcileContext): Promise<Duration | undefined> {
  const { clock, client } = context;
  const { namespace } = pushSecret.metadata;
  const before = pushSecret.status?.syncedPushSecrets ?? {};
  const refreshTime = timestamp(clock);
  const name = pushSecret.spec.selector.secret?.name ?? '';
  const source = await client.find(Secret, { namespace, name });
  if (source === undefined && pushSecret.spec.deletionPolicy === 'Delete' && hasEntries(before)) {
    return await sourceDeleted(pushSecret, before, vaults, context);
  }
  let syncedPushSecrets = before;
  try {
    if (source === undefined) throw new Error('could not get source secret');
    for (const store of pushSecret.spec.secretStoreRefs) {
      syncedPushSecrets = await pushTo(store, source, pushSecret, syncedPushSecrets, vaults, context);
    }
  } catch (error) {
    if (error instanceof PushFailed) syncedPushSecrets = error.synced;
    const synced = Object.keys(syncedPushSecrets).length > 0 ? { syncedPushSecrets } : {};
    await report(pushSecret, { status: 'False', reason: 'Errored', message: messageOf(error) }, synced, context);
    throw error;
  }
  const synced = { refreshTime, syncedResourceVersion: syncedVersion(pushSecret), syncedPushSecrets };
  const untouched = pushSecret.spec.updatePolicy === 'IfNotExists' ? '. Existing secrets in providers unchanged.' : '';
  const message = `PushSecret synced successfully${untouched}`;
  const status = await report(pushSecret, { status: 'True', reason: 'Synced', message }, synced, context);
  return untilRefresh({ ...pushSecret, status }, clock);
}

/** Deletes the copies after their source was deleted; they are not pushed again until the PushSecret itself changes. */
async function sourceDeleted(
  pushSecret: PushSecret,
  synced: Synced,
  vaults: Vaults,
  context: ReconcileContext,
): Promise<undefined> {
  await deleteEntries(pushSecret, synced, vaults, context);
  const message = 'source secret deleted; provider secrets cleaned up';
  const { syncedPushSecrets: _, ...rest } = pushSecret.status ?? {};
  const next = { status: 'False', reason: 'SourceDeleted', message } as const;
  await report({ ...pushSecret, status: rest }, next, {}, context);
}

/** A push that failed, with the entries that are in the stores. */
class PushFailed extends Error {
  override readonly name = 'PushFailed';
  readonly synced: Synced;

  constructor(message: string, synced: Synced, cause: unknown) {
    super(message, { cause });
    this.synced = synced;
  }
}

/**
 * Pushes every entry to one store and deletes those that are no longer in the spec; returns the entries in the stores.
 */
async function pushTo(
  ref: StoreRef,
  source: Secret,
  pushSecret: PushSecret,
  synced: Synced,
  vaults: Vaults,
  context: ReconcileContext,
): Promise<Synced> {
  const { updatePolicy: update = 'Replace', deletionPolicy, data = [] } = pushSecret.spec;
  const key = `${ref.kind ?? 'SecretStore'}/${ref.name ?? ''}`;
  const store = storeOf(ref, context);
  // Nothing is pushed to a terminating store, and that is not reported.
  if (store.metadata.deletionTimestamp !== undefined) return synced;
  let entries: Record<string, PushEntry> = synced[key] ?? {};
  try {
    const mount = mountOf(store);
    const { namespace = '' } = pushSecret.metadata;
    await inSession({ namespace, store, vaults }, context, async (session) => {
      for (const entry of data) {
        await push(entry, source, { mount, session, update });
        entries = { ...entries, [entryName(entry)]: entry };
      }
      const wanted = new Set(data.map(entryName));
      for (const [name, entry] of Object.entries(entries)) {
        if (wanted.has(name)) continue;
        if (deletionPolicy === 'Delete') await deleteRemote(entry, { mount, session });
        const { [name]: _, ...rest } = entries;
        entries = rest;
      }
    });
  } catch (error) {
    const message = `set secret failed: could not write to target secretstore ${ref.name}: ${messageOf(error)}`;
    throw new PushFailed(message, { ...synced, [key]: entries }, error);
  }
  return { ...synced, [key]: entries };
}

/** Deletes everything that was pushed; connects to every store in the status, even to one without entries. */
async function deleteEntries(
  { metadata }: PushSecret,
  synced: Synced,
  vaults: Vaults,
  context: ReconcileContext,
): Promise<void> {
  for (const [key, entries] of Object.entries(synced)) {
    const [kind = '', name = ''] = key.split('/');
    try {
      const store = storeOf({ kind, name }, context);
      const mount = mountOf(store);
      await inSession({ namespace: metadata.namespace ?? '', store, vaults }, context, async (session) => {
        for (const entry of Object.values(entries)) await deleteRemote(entry, { mount, session });
      });
    } catch (error) {
      throw new Error(`could not get secrets client for store ${name}: ${messageOf(error)}`, { cause: error });
    }
  }
}

/** Writes the condition Ready and these fields, and records an Event with the same text. */
async function report(
  pushSecret: PushSecret,
  ready: { status: 'True' | 'False'; reason: string; message: string },
  fields: Partial<NonNullable<PushSecret['status']>>,
  context: ReconcileContext,
): Promise<NonNullable<PushSecret['status']>> {
  const condition = { type: 'Ready', ...ready, lastTransitionTime: timestamp(context.clock) };
  const conditions = withCondition(pushSecret.status?.conditions, condition);
  const status = { ...pushSecret.status, ...fields, conditions };
  const { reason, message } = ready;
  await context.event(pushSecret, { type: ready.status === 'True' ? 'Normal' : 'Warning', reason, message });
  await saveStatus(PushSecret, pushSecret, status, context);
  return status;
}

function hasEntries(synced: Synced): boolean {
  return Object.values(synced).some((entries) => Object.keys(entries).length > 0);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
