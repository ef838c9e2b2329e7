// SPDX-License-Identifier: Apache-2.0
import { ClusterSecretStore, PushSecret } from '@forge/kube/third-party/external-secrets.ts';
import { watch, type Controller, type ReconcileContext } from '@forge/runtime/controller/controller.ts';
import { releaseObject, withFinalizers } from '@forge/runtime/controller/finalizers.ts';
import { timestamp } from '@forge/runtime/environment/clock.ts';
import { minutes, seconds, type Duration } from '@forge/runtime/environment/duration.ts';
import { parseDuration } from '@forge/runtime/environment/parse-duration.ts';
import { withCondition } from '../../objects/with-condition.ts';
import { saveStatus } from '../save-status.ts';
import { specOrMetadataPredicate } from '../stand-in.ts';
import type { Vaults } from './vault.ts';

const finalizer = 'secretstore.externalsecrets.io/finalizer';
const defaultInterval = minutes(5);

/** The controller of ClusterSecretStores: validates them, and holds those that PushSecrets need for their cleanup. */
export function secretStoreController(vaults: Vaults): Controller {
  return {
    name: 'cluster-secret-store',
    for: ClusterSecretStore,
    predicate: specOrMetadataPredicate,
    workers: 1,
    watches: [watch(PushSecret, storesOf)],
    async reconcile({ name }, context) {
      const found = context.cache.get(ClusterSecretStore, { name });
      if (found === undefined) return undefined;
      const store = await hold(found, context);
      return store.metadata.deletionTimestamp === undefined ? await validate(store, vaults, context) : undefined;
    },
  };
}

function storesOf({ spec }: PushSecret): { name: string }[] {
  return spec.secretStoreRefs.flatMap(({ kind, name }) =>
    kind === ClusterSecretStore.kind && name !== undefined ? [{ name }] : [],
  );
}

/** Adds the finalizer while a PushSecret with deletionPolicy Delete refers to the store, and removes it afterwards. */
async function hold(store: ClusterSecretStore, context: ReconcileContext): Promise<ClusterSecretStore> {
  const { name, finalizers = [], deletionTimestamp } = store.metadata;
  const isNeeded = context.cache
    .list(PushSecret)
    .some((each) => each.spec.deletionPolicy === 'Delete' && storesOf(each).some((ref) => ref.name === name));
  if (isNeeded && deletionTimestamp === undefined && !finalizers.includes(finalizer)) {
    const held = await withFinalizers(ClusterSecretStore, store, [finalizer], context);
    const { vault } = held.spec.provider;
    // External Secrets writes the whole object, and with it a field that the user did not set.
    if (vault === undefined || 'tls' in vault) return held;
    return await context.client.patch(ClusterSecretStore, { name }, 'merge', {
      spec: { provider: { vault: { tls: {} } } },
    });
  }
  if (!isNeeded) await releaseObject(ClusterSecretStore, store, { finalizers: (each) => each === finalizer }, context);
  return store;
}

async function validate(
  store: ClusterSecretStore,
  vaults: Vaults,
  context: ReconcileContext,
): Promise<Duration | undefined> {
  let failure: { message: string; cause: unknown } | undefined;
  try {
    const session = await vaults.connect(store);
    await session.lookupSelf().catch((cause: unknown) => {
      failure = { message: 'unable to validate store', cause };
    });
    await session.close().catch(() => undefined);
  } catch (cause) {
    failure = { message: 'unable to create client', cause };
  }
  const next =
    failure === undefined
      ? ({ status: 'True', reason: 'Valid', message: 'store validated' } as const)
      : ({ status: 'False', reason: 'InvalidProviderConfig', message: failure.message } as const);
  const note = failure === undefined ? next.message : messageOf(failure.cause);
  const type = failure === undefined ? 'Normal' : 'Warning';
  await context.event(store, { type, reason: next.reason, message: note });
  const condition = { type: 'Ready', ...next, lastTransitionTime: timestamp(context.clock) };
  const conditions = withCondition(store.status?.conditions, condition);
  await saveStatus(ClusterSecretStore, store, { ...store.status, capabilities: 'ReadWrite', conditions }, context);
  if (failure !== undefined) throw failure.cause;
  const { refreshInterval } = store.spec;
  if (typeof refreshInterval === 'string') return parseDuration(refreshInterval) ?? defaultInterval;
  return refreshInterval === undefined || refreshInterval === 0 ? defaultInterval : seconds(refreshInterval);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
