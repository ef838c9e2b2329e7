// SPDX-License-Identifier: Apache-2.0
import { boundedMap } from '@forge/runtime/collections/bounded-map.ts';
import type { Clock } from '@forge/runtime/time/clock.ts';
import type { Cloud } from './clouds-yaml.ts';
import { identityOf, logIn, type Identity, type KeystoneHttp, type Login } from './identity.ts';

/** The authenticated clients of a process. */
export interface AuthenticatedClients {
  /** Throws when the login fails, or its catalog has no identity endpoint for the cloud. */
  connect(cloud: Cloud, signal: AbortSignal): Promise<Identity>;
}

const maxClients = 10;

/** Keeps a login, with its catalog, for half the lifetime of its token; another cloud entry is another login. */
export function authenticatedClients(http: KeystoneHttp, clock: Clock): AuthenticatedClients {
  const logins = boundedMap<{ login: Login; until: number }>(maxClients);
  return {
    async connect(cloud, signal) {
      const options = { http: http(cloud.ca), signal };
      const kept = logins.get(cloud.hash);
      if (kept !== undefined && clock.now() < kept.until) return identityOf(kept.login, cloud, options);
      const login = await logIn(cloud, options);
      logins.set(cloud.hash, { login, until: (clock.now() + login.expiresAt) / 2 });
      return identityOf(login, cloud, options);
    },
  };
}
