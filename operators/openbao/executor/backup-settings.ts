// SPDX-License-Identifier: Apache-2.0
import type { Duration } from '@forge/runtime/environment/duration.ts';
import type { SecretValue } from '@forge/runtime/secrets/secret-value.ts';
import type { OpenBaoServer } from '../clients/openbao-call.ts';

/** How a backup proves that it may read snapshots. */
export type BackupLogin = { readonly role: string; readonly jwt: SecretValue } | { readonly token: SecretValue };

/** What one backup does. */
export interface BackupSettings {
  /** The servers of the cluster, of which one should lead. */
  readonly servers: readonly OpenBaoServer[];
  readonly login: BackupLogin;
  /** The name of the snapshot in the bucket. */
  readonly key: string;
  /** What the names of all snapshots of the cluster begin with. */
  readonly prefix: string;
  readonly retention: RetentionSettings;
}

/** Which snapshots are kept. */
export interface RetentionSettings {
  /** 0 for all. */
  readonly maxCount: number;
  /** Undefined for any. */
  readonly maxAge: Duration | undefined;
}

/** Where snapshots are stored. */
export interface StorageSettings {
  readonly endpoint: string;
  readonly bucket: string;
  readonly region: string;
  readonly usePathStyle: boolean;
  readonly partSize: number;
  /** How many parts are sent at the same time. */
  readonly concurrency: number;
  /** Undefined for what the AWS SDK finds in the environment: a web identity. */
  readonly credentials:
    | { readonly accessKeyId: string; readonly secretAccessKey: SecretValue; readonly sessionToken?: SecretValue }
    | undefined;
  /** PEM certificates of authorities to trust besides the well-known ones. */
  readonly ca: string | undefined;
}
