// SPDX-License-Identifier: Apache-2.0
import type { StepContext } from '@forge/runtime/steps/step-context.ts';
import { credentialKeysReady, fernetKeysReady, keyEvents } from '../../contract/keys.ts';
import type { Keystone } from '../../keystone.ts';
import type { Services } from '../../step.ts';

/** One of the two key repositories, and what is said of it. */
export type KeyRepository = typeof fernetRepository | typeof credentialRepository;

/** What the parts of a key step work with. */
export type KeyContext = StepContext<Keystone, Services, { readonly config: { readonly configMap: string } }>;

/** Keys that sign tokens. When they are lost, tokens are: new ones are generated. */
export const fernetRepository = {
  flavour: 'fernet',
  noun: 'Fernet',
  rows: fernetKeysReady,
  missing: undefined,
  generated: keyEvents.fernetKeysGenerated,
  rotated: keyEvents.fernetKeysRotated,
} as const;

/** Keys that encrypt the credential table. When they are lost, the rows that they encrypted are: nothing takes their place. */
export const credentialRepository = {
  flavour: 'credential',
  noun: 'Credential',
  rows: credentialKeysReady,
  missing: credentialKeysReady.missing,
  generated: keyEvents.credentialKeysGenerated,
  rotated: keyEvents.credentialKeysRotated,
} as const;
