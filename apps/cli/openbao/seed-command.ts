// SPDX-License-Identifier: Apache-2.0
import { vaultHttp } from '@forge/cluster/stand-ins/external-secrets/vault-http.ts';
import { systemClock } from '@forge/runtime/environment/clock.ts';
import { systemRandom } from '@forge/runtime/environment/random.ts';
import { httpClient } from '@forge/runtime/http/http-client.ts';
import { refuseClusterOptions, type ClusterOptions } from './cluster-arguments.ts';
import {
  addressOf,
  authorityOf,
  mountOf,
  targetOf,
  tokenOf,
  type Environment,
  type SeedOptions,
} from './seed-arguments.ts';
import { seed, type Seeded } from './seed.ts';

/** Seeds the credentials of a Keystone in any OpenBao; invalid arguments are refused before any request. */
export async function seedCommand(options: SeedOptions & ClusterOptions, environment: Environment): Promise<Seeded[]> {
  refuseClusterOptions(options);
  const target = targetOf(options);
  const mount = mountOf(options);
  const server = addressOf(options, environment);
  const token = await tokenOf(options, environment);
  const ca = await authorityOf(options, environment);
  const http = httpClient({ clock: systemClock, ...(ca !== undefined && { ca }) });
  return await seed(vaultHttp({ http, server, token }), target, { mount, random: systemRandom });
}
