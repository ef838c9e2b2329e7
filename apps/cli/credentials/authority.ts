// SPDX-License-Identifier: Apache-2.0
import { join } from 'node:path';
import { certificateAuthority } from '@forge/pki/certificate-authority.ts';
import type { KeyPair } from '@forge/pki/certificate.ts';
import type { Clock } from '@forge/runtime/environment/clock.ts';
import { loadOrCreateFile } from '../data/load-or-create-file.ts';

/** A new certificate authority for one cluster. */
export function newAuthority(clock: Clock): KeyPair {
  return certificateAuthority({ now: clock.now(), validDays: 3650, name: 'forge local cluster' });
}

/** The certificate authority in a folder; created on first use. */
export async function loadOrCreateAuthority(dir: string, clock: Clock): Promise<KeyPair> {
  const kept = await loadOrCreateFile(join(dir, 'authority.json'), () => JSON.stringify(newAuthority(clock)));
  return JSON.parse(kept) as KeyPair;
}
