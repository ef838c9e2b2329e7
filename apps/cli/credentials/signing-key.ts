// SPDX-License-Identifier: Apache-2.0
import { generateKeyPairSync } from 'node:crypto';
import { join } from 'node:path';
import { loadOrCreateFile } from '../data/load-or-create-file.ts';

/** A new key that signs ServiceAccount tokens, as PEM. */
export function newSigningKey(): string {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
}

/** The signing key in a folder, created on first use, so that tokens stay valid across restarts. */
export function loadOrCreateSigningKey(dir: string): Promise<string> {
  return loadOrCreateFile(join(dir, 'service-accounts.key'), newSigningKey);
}
