// SPDX-License-Identifier: Apache-2.0
import { ClusterSecretStore, ExternalSecret, PushSecret } from '@forge/kube/third-party/external-secrets.ts';
import { minutes, seconds } from '@forge/runtime/environment/duration.ts';
import type { StandIn } from '../stand-in.ts';
import { writingAs } from '../writing-as.ts';
import { externalSecretController } from './external-secret.ts';
import { pushSecretController } from './push-secret.ts';
import { secretStoreController } from './secret-store.ts';
import type { Vaults } from './vault.ts';

/** Emulates External Secrets, with servers that `vaults` connects to. */
export function externalSecrets(vaults: Vaults): StandIn {
  return {
    name: 'external-secrets',
    kinds: [ClusterSecretStore, ExternalSecret, PushSecret],
    controllers: writingAs('external-secrets', [
      externalSecretController(vaults),
      pushSecretController(vaults),
      secretStoreController(vaults),
    ]),
    backoff: { base: seconds(1), cap: minutes(7) },
  };
}
