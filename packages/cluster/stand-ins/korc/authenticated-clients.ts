// SPDX-License-Identifier: Apache-2.0
import { expiringMemo } from '@forge/runtime/collections/expiring-memo.ts';
import type { Clock } from '@forge/runtime/environment/clock.ts';
import { milliseconds } from '@forge/runtime/environment/duration.ts';
import type { Cloud } from './clouds-yaml.ts';
import { identityOf, logIn, type Identity, type KeystoneHttp, type Login } from './identity.ts';

/** The authenticated clients of a process. */
export interface AuthenticatedClients {
  /** Throws when the login fails, or its catalog has no identity endpoint for the cloud. */
  connect(cloud: Cloud, signal: AbortSignal): Promise<Identity>;
}

const maxClients = 10;

/** Caches a login and its catalog for half the lifetime of its token; each cloud entry has its own login. */
export function authenticatedClients(http: KeystoneHttp, clock: Clock): AuthenticatedClients {
  const holdsFor = ({ expiresAt }: Login) => milliseconds((expiresAt - clock.now()) / 2);
  const logins = expiringMemo({ clock, size: maxClients, holdsFor });
  return {
    async connect(cloud, signal) {
      const options = { http: http(cloud.ca), signal };
      return identityOf(await logins.get(cloud.hash, () => logIn(cloud, options)), cloud, options);
    },
  };
}
