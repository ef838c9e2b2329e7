// SPDX-License-Identifier: Apache-2.0
import { errorText } from '@forge/runtime/observability/error-text.ts';
import type { SecretValue } from '@forge/runtime/secrets/secret-value.ts';
import type { BackupSettings, StorageSettings } from './backup-settings.ts';
import { ExecutorFailure, exitCodes } from './executor-failure.ts';
import { readSettings, type SettingsSource } from './read-settings.ts';
import { runBackup, type BackupContext } from './run-backup.ts';
import type { SnapshotStorage } from './snapshot-storage.ts';

/** What the executor uses of its host. */
export interface ExecutorHost extends SettingsSource, Omit<BackupContext, 'storage'> {
  readonly storage: (settings: StorageSettings) => SnapshotStorage;
}

/** How the executor ended. */
interface ExecutorEnd {
  readonly exitCode: number;
  /** One line: the result as JSON, or why there is none. */
  readonly message: string;
}

/** As much as Kubernetes keeps of a termination message, with room for characters of several bytes. */
const maxMessage = 1024;

/** Does what the environment asks for, and never rejects. */
export async function runExecutor(host: ExecutorHost): Promise<ExecutorEnd> {
  let secrets: readonly SecretValue[] = [];
  try {
    const { backup, storage } = await readSettings(host);
    secrets = secretsOf(backup, storage);
    const result = await runBackup(backup, { ...host, storage: host.storage(storage) });
    return { exitCode: exitCodes.done, message: JSON.stringify(result) };
  } catch (error) {
    const kind = host.signal.aborted ? 'stopped' : error instanceof ExecutorFailure ? error.kind : 'config';
    const text = kind === 'stopped' ? 'stopped before the backup was complete' : errorText(error);
    const message = secrets.reduce((shown, secret) => shown.replaceAll(secret.reveal(), '[redacted]'), text);
    host.log.error(message, { exitCode: exitCodes[kind] });
    return { exitCode: exitCodes[kind], message: message.slice(0, maxMessage) };
  }
}

function secretsOf({ login }: BackupSettings, { credentials }: StorageSettings): SecretValue[] {
  const { secretAccessKey, sessionToken } = credentials ?? {};
  return ['jwt' in login ? login.jwt : login.token, secretAccessKey, sessionToken].filter((each) => each !== undefined);
}
