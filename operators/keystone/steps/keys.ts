// SPDX-License-Identifier: Apache-2.0
import { Secret } from '@forge/kube/builtin.ts';
import { seconds } from '@forge/runtime/duration.ts';
import { ready, waiting } from '@forge/runtime/steps/outcome.ts';
import { owned } from '@forge/runtime/steps/owned.ts';
import { step, type Keystone } from '../keystone.ts';
import { namesOf } from '../names.ts';
import { keySecret } from '../objects/key-secret.ts';
import { config } from './config.ts';

/** One of the two key repositories, in the words of its condition and event. */
interface Repository {
  noun: 'Fernet' | 'Credential';
  /** The noun inside a sentence. */
  adjective: string;
  name: (keystone: Keystone) => string;
  maxActiveKeys: (keystone: Keystone) => number;
}

/** Keys that sign tokens. */
export const fernetKeys = keysStep({
  noun: 'Fernet',
  adjective: 'Fernet',
  name: (keystone) => namesOf(keystone).fernetKeys,
  maxActiveKeys: ({ spec }) => spec.fernet.maxActiveKeys,
});

/** Keys that encrypt the credential table. */
export const credentialKeys = keysStep({
  noun: 'Credential',
  adjective: 'credential',
  name: (keystone) => namesOf(keystone).credentialKeys,
  maxActiveKeys: ({ spec }) => spec.credentialKeys.maxActiveKeys,
});

/** Generates the repository once; keys that exist are never touched. */
function keysStep({ noun, adjective, name, maxActiveKeys }: Repository) {
  return step({
    name: `${noun}Keys`,
    condition: `${noun}KeysReady`,
    needs: { config },
    owns: [owned(Secret, 'create')],
    async run({ object: keystone, get, create, random }) {
      if (get(Secret, name(keystone)) === undefined) {
        await create(keySecret(keystone, name(keystone), maxActiveKeys(keystone), random));
        return waiting('GeneratingKeys', `Initial ${adjective} keys have been generated`, seconds(15), {
          event: {
            type: 'Normal',
            reason: `${noun}KeysGenerated`,
            message: `Initial ${adjective} encryption keys have been generated`,
          },
        });
      }
      return ready(`${noun}KeysAvailable`, `${noun} keys Secret exists and rotation CronJob is configured`);
    },
  });
}
