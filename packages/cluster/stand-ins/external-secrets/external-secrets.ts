// SPDX-License-Identifier: Apache-2.0
import { ClusterSecretStore, ExternalSecret, PushSecret } from '@forge/kube/third-party/external-secrets.ts';
import { minutes, seconds } from '@forge/runtime/time/duration.ts';
import type { StandIn } from '../stand-in.ts';
import { writingAs } from '../writing-as.ts';
import { externalSecretController } from './external-secret.ts';
import { pushSecretController } from './push-secret.ts';
import { secretStoreController } from './secret-store.ts';
import type { Vaults } from './vault.ts';

/** Plays External Secrets on servers reached so. */
export function externalSecrets(vaults: Vaults): StandIn {
  return {
    name: 'external-secrets',
    kinds: [ExternalSecret, PushSecret, ClusterSecretStore],
    controllers: writingAs('external-secrets', [
      externalSecretController(vaults),
      pushSecretController(vaults),
      secretStoreController(vaults),
    ]),
    backoff: { base: seconds(1), cap: minutes(7) },
  };
}
