// SPDX-License-Identifier: Apache-2.0
import { Secret } from '@forge/kube/kinds/builtin.ts';
import { ready, waiting } from '@forge/runtime/steps/outcome.ts';
import { owned } from '@forge/runtime/steps/owned.ts';
import { credentialKeysReady, fernetKeysReady, keyEvents } from '../contract/keys.ts';
import type { Keystone } from '../keystone.ts';
import { namesOf } from '../names.ts';
import { keySecret } from '../objects/key-secret.ts';
import { step } from '../step.ts';
import { config } from './config.ts';

/** One of the two key repositories, and what is said of it. */
interface Repository {
  noun: 'Fernet' | 'Credential';
  name: (keystone: Keystone) => string;
  maxActiveKeys: (keystone: Keystone) => number;
  rows: typeof fernetKeysReady | typeof credentialKeysReady;
  generated: typeof keyEvents.fernetKeysGenerated | typeof keyEvents.credentialKeysGenerated;
}

/** Keys that sign tokens. */
export const fernetKeys = keysStep({
  noun: 'Fernet',
  name: (keystone) => namesOf(keystone).fernetKeys,
  maxActiveKeys: ({ spec }) => spec.fernet.maxActiveKeys,
  rows: fernetKeysReady,
  generated: keyEvents.fernetKeysGenerated,
});

/** Keys that encrypt the credential table. */
export const credentialKeys = keysStep({
  noun: 'Credential',
  name: (keystone) => namesOf(keystone).credentialKeys,
  maxActiveKeys: ({ spec }) => spec.credentialKeys.maxActiveKeys,
  rows: credentialKeysReady,
  generated: keyEvents.credentialKeysGenerated,
});

/** Generates the repository once; keys that exist are never touched. */
function keysStep({ noun, name, maxActiveKeys, rows, generated }: Repository) {
  return step({
    name: `${noun}Keys`,
    condition: `${noun}KeysReady`,
    needs: { config },
    owns: [owned(Secret, 'create')],
    async run({ object: keystone, get, create, random }) {
      if (get(Secret, name(keystone)) !== undefined) return ready(rows.available());
      await create(keySecret(keystone, name(keystone), maxActiveKeys(keystone), random));
      return waiting(rows.generating(), { event: generated() });
    },
  });
}
