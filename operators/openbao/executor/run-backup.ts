// SPDX-License-Identifier: Apache-2.0
import type { Clock } from '@forge/runtime/environment/clock.ts';
import { errorText } from '@forge/runtime/observability/error-text.ts';
import type { Logger } from '@forge/runtime/observability/logger.ts';
import type { SecretValue } from '@forge/runtime/secrets/secret-value.ts';
import type { OpenBaoServer } from '../clients/openbao-call.ts';
import { OpenBaoError } from '../clients/openbao-error.ts';
import type { OpenBaoActions, OpenBaoReader } from '../clients/openbao-services.ts';
import { policyRuleOf } from '../clients/token-calls.ts';
import type { BackupSettings } from './backup-settings.ts';
import { ExecutorFailure } from './executor-failure.ts';
import { expiredSnapshots } from './expired-snapshots.ts';
import { findLeader } from './find-leader.ts';
import type { SnapshotStorage } from './snapshot-storage.ts';
import { wholeSnapshot, type External } from './whole-snapshot.ts';

/** Whom a backup talks to. */
export interface BackupContext {
  readonly openbao: Pick<OpenBaoReader, 'health' | 'knowsToken' | 'snapshot'> & Pick<OpenBaoActions, 'logIn'>;
  readonly storage: SnapshotStorage;
  readonly clock: Clock;
  readonly external: External;
  readonly signal: AbortSignal;
  readonly log: Logger;
}

/** What a backup leaves as its termination message. */
export interface BackupResult {
  readonly key: string;
  readonly bytes: number;
  readonly seconds: number;
  /** How many older snapshots were deleted. */
  readonly deleted: number;
}

/**
 * Stores a snapshot of the leader in the bucket, then deletes those that are kept no longer.
 *
 * Guarantees: under the key stands a whole snapshot or nothing of this run; retention deletes only after a success, and its
 * problems never fail the backup. Rejects with an ExecutorFailure, or with the reason of the signal.
 */
export async function runBackup(settings: BackupSettings, context: BackupContext): Promise<BackupResult> {
  const { key } = settings;
  const { clock, log, signal } = context;
  const begin = clock.monotonic();
  const leader = await findLeader(settings.servers, context);
  log.info('reading a snapshot', { leader: leader.url, key });
  const bytes = await storeSnapshot(await openSnapshot(leader, settings, context), key, context);
  const seconds = Math.round(clock.monotonic() - begin) / 1000;
  log.info('stored the snapshot', { key, bytes, seconds });
  signal.throwIfAborted();
  return { key, bytes, seconds, deleted: await applyRetention(settings, context) };
}

async function openSnapshot(
  leader: OpenBaoServer,
  settings: BackupSettings,
  context: BackupContext,
): Promise<AsyncIterable<Uint8Array>> {
  const token = await tokenFor(leader, settings, context);
  const { openbao, signal } = context;
  try {
    return await openbao.snapshot(leader, token, signal);
  } catch (error) {
    if (!(error instanceof OpenBaoError)) throw error;
    if (error.failure !== 'denied') throw new ExecutorFailure('snapshot', errorText(error), error);
    throw new ExecutorFailure('auth', await whyDenied(leader, token, settings, context), error);
  }
}

const neededRule = policyRuleOf('snapshot');

/** A token that does not work and a policy that is too small have the same answer. */
async function whyDenied(
  leader: OpenBaoServer,
  token: SecretValue,
  { login }: BackupSettings,
  { openbao, signal }: BackupContext,
): Promise<string> {
  if ('role' in login)
    return `the policies of the role "${login.role}" do not allow snapshots; they need ${neededRule}`;
  const isValid = await openbao.knowsToken(leader, token, signal).catch(() => undefined);
  if (isValid === true) return `the policies of the token do not allow snapshots; they need ${neededRule}`;
  return `OpenBao refuses the token: it is unknown, expired or revoked, or its policies lack ${neededRule}`;
}

async function tokenFor(
  leader: OpenBaoServer,
  { login }: BackupSettings,
  { openbao, signal }: BackupContext,
): Promise<SecretValue> {
  if ('token' in login) return login.token;
  try {
    return (await openbao.logIn(leader, login, signal)).token;
  } catch (error) {
    if (!(error instanceof OpenBaoError)) throw error;
    const isRefused = error.failure === 'denied' || error.failure === 'refused';
    throw new ExecutorFailure(
      isRefused ? 'auth' : 'leader',
      `the login with the role "${login.role}" failed: ${errorText(error)}`,
      error,
    );
  }
}

/** Sends the snapshot to the bucket and looks at what is there then; returns its bytes. */
async function storeSnapshot(source: AsyncIterable<Uint8Array>, key: string, context: BackupContext): Promise<number> {
  const { storage, external, signal, log } = context;
  const snapshot = wholeSnapshot(source, external);
  try {
    await storage.upload(key, snapshot.content);
  } catch (error) {
    signal.throwIfAborted();
    if (snapshot.failure instanceof ExecutorFailure) throw snapshot.failure;
    if (snapshot.failure !== undefined) {
      throw new ExecutorFailure('snapshot', `the snapshot broke off: ${errorText(snapshot.failure)}`, snapshot.failure);
    }
    // The answer may be lost to a request that succeeded.
    const stored = snapshot.isWhole ? await storage.sizeOf(key, signal).catch(() => undefined) : undefined;
    if (stored !== snapshot.bytes) throw new ExecutorFailure('storage', errorText(error), error);
    log.warn('the upload ended with an error, and is complete', { key, error });
    return stored;
  }
  await verify(key, snapshot.bytes, context);
  return snapshot.bytes;
}

/** What has another size is no snapshot, and must not pass for one. */
async function verify(key: string, bytes: number, { storage, signal, log }: BackupContext): Promise<void> {
  const stored = await storage.sizeOf(key, signal).catch((error: unknown) => {
    throw new ExecutorFailure('verification', `cannot verify the snapshot ${key}: ${errorText(error)}`, error);
  });
  if (stored === bytes) return;
  const found = stored === undefined ? 'nothing' : `${stored} bytes`;
  if (stored !== undefined) {
    const { problem } = await storage.remove([key], signal);
    if (problem !== undefined) log.error('cannot delete a snapshot that is not whole', { key, problem });
  }
  throw new ExecutorFailure('verification', `${bytes} bytes were sent, and ${found} is stored as ${key}`);
}

/** Deletes snapshots that are kept no longer; returns how many. */
async function applyRetention(
  settings: BackupSettings,
  { storage, clock, signal, log }: BackupContext,
): Promise<number> {
  const { retention, prefix, key: made } = settings;
  if (retention.maxCount === 0 && retention.maxAge === undefined) return 0;
  try {
    const objects = await storage.list(prefix, signal);
    const expired = expiredSnapshots(objects, { ...retention, prefix, made, now: clock.now() });
    const { removed, problem } = expired.length === 0 ? { removed: [] } : await storage.remove(expired, signal);
    for (const key of removed) log.info('deleted a snapshot', { key });
    if (problem !== undefined) log.error('cannot delete all snapshots that are kept no longer', { problem });
    return removed.length;
  } catch (error) {
    log.error('cannot delete the snapshots that are kept no longer', { error });
    return 0;
  }
}
