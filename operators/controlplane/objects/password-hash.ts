// SPDX-License-Identifier: Apache-2.0
import { createHash } from 'node:crypto';

/** Digest of the admin password that an application credential is minted with: another password asks for another credential. */
export function passwordHash(password: string): string {
  return createHash('sha256').update(password).digest('hex');
}
