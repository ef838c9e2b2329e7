// SPDX-License-Identifier: Apache-2.0
import type { KeyType } from '../../api/names.ts';
import type { ContextWith } from '../../clients/services.ts';
import { credentialKeysReady, fernetKeysReady, keyEvents } from '../../conditions/keys.ts';

/** One of the two key repositories, and what is reported about it. */
export type KeyRepository = typeof fernetRepository | typeof credentialRepository;

/** What the parts of a key step work with. */
export type KeyContext = ContextWith<{
  readonly config: { readonly configMap: string };
  readonly protectBackups: { readonly lost: readonly KeyType[] };
}>;

/** Keys that sign tokens. When they are lost, tokens are: new ones are generated. */
export const fernetRepository = {
  keyType: 'fernet',
  noun: 'Fernet',
  cases: fernetKeysReady,
  missing: undefined,
  generated: keyEvents.fernetKeysGenerated,
  rotated: keyEvents.fernetKeysRotated,
} as const;

/** Keys that encrypt the credential table. When they are lost, the rows that they encrypted are: nothing takes their place. */
export const credentialRepository = {
  keyType: 'credential',
  noun: 'Credential',
  cases: credentialKeysReady,
  missing: credentialKeysReady.missing,
  generated: keyEvents.credentialKeysGenerated,
  rotated: keyEvents.credentialKeysRotated,
} as const;
