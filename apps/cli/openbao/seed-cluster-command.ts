// SPDX-License-Identifier: Apache-2.0
import { VaultError, vaultHttp, type VaultHttp } from '@forge/cluster/stand-ins/external-secrets/vault-http.ts';
import type { HttpsTransport } from '@forge/kube/client/https-transport.ts';
import { httpsTransport } from '@forge/kube/client/https-transport.ts';
import { tokenFile } from '@forge/kube/client/token-file.ts';
import { jwtAccessOf, type JwtAccess } from '@forge/openbao/clients/jwt-access.ts';
import { systemClock } from '@forge/runtime/environment/clock.ts';
import { httpClient } from '@forge/runtime/http/http-client.ts';
import { HttpError } from '@forge/runtime/http/http-error.ts';
import { errorText } from '@forge/runtime/observability/error-text.ts';
import { clusterConnection } from '@forge/runtime/process/cluster-connection.ts';
import { CliError } from '../terminal/cli-error.ts';
import { exitCodes } from '../terminal/exit-code.ts';
import { clusterRefOf, keySourceOf, readText, type ClusterOptions } from './cluster-arguments.ts';
import { authorityIn, clusterAt, trustOf } from './cluster-facts.ts';
import { seedAccess, type WantedAccess } from './seed-access.ts';
import { addressOf, authorityOf, tokenOf, tokenPlace, type Environment, type SeedOptions } from './seed-arguments.ts';
import type { Seeded } from './seed.ts';

/** What was done, and what is left to do. */
export interface SeededCluster {
  readonly seeded: readonly Seeded[];
  readonly remains: readonly string[];
}

/**
 * Sets up an OpenBao for the operator of its OpenBaoCluster: the login by JWT, and the roles and policies of upgrades and
 * backups. Invalid arguments are refused before any request, and what is wrong otherwise before anything is written.
 */
export async function seedClusterCommand(
  options: SeedOptions & ClusterOptions,
  environment: Environment,
): Promise<SeededCluster> {
  const ref = clusterRefOf(options);
  const server = addressOf(options, environment);
  const token = await tokenOf(options, environment);
  const ownCa = await authorityOf(options, environment);
  const source = await keySourceOf(options);
  await using cluster = await connected(options, environment);
  const found = await asked(cluster, () => clusterAt(cluster.transport, ref));
  const roles = rolesOf(Object.values(jwtAccessOf(found)));
  const ca = ownCa ?? (await asked(cluster, () => authorityIn(cluster.transport, found)));
  const trust = await asked(cluster, () => trustOf(cluster.transport, source));
  const http = httpClient({ clock: systemClock, ...(ca !== undefined && { ca }) });
  const wanted: WantedAccess = { trust, roles };
  const api = withRemedies(vaultHttp({ http, server, token }), { server, token: tokenPlace(options) });
  const seeded = await seedAccess(api, wanted, { replace: options.replace === true });
  return { seeded, remains: roles.filter(({ isNamed }) => !isNamed).map(remainingText) };
}

const remainingText = ({ role, field }: JwtAccess) => `To use it, set ${field} to ${JSON.stringify(role)}.`;

/** Throws when no role can have one of the names, or when they are the same: a role is bound to one ServiceAccount. */
function rolesOf(roles: readonly JwtAccess[]): readonly JwtAccess[] {
  for (const { field, role } of roles) {
    if (/^\w([\w.-]*\w)?$/.test(role)) continue;
    throw new CliError(
      `${field} ${JSON.stringify(role)}: a role has letters, digits, "_", "-" and ".", and no "-" or "." at its ends. Correct the OpenBaoCluster.`,
    );
  }
  const [one, other] = roles;
  if (one !== undefined && one.role.toLowerCase() === other?.role.toLowerCase()) {
    throw new CliError(
      `${one.field} and ${other.field} are both ${JSON.stringify(one.role)}, and a role is for one ServiceAccount. Give them two names in the OpenBaoCluster.`,
    );
  }
  return roles;
}

interface ConnectedCluster extends AsyncDisposable {
  readonly transport: HttpsTransport;
  readonly server: string;
}

async function connected({ kubeconfig }: ClusterOptions, environment: Environment): Promise<ConnectedCluster> {
  const file = kubeconfig ?? environment['KUBECONFIG'] ?? '';
  try {
    const { tokenFile: path, ...connection } = await clusterConnection(
      { kubeconfig: file },
      { environment, readFile: readText },
    );
    const token = path === undefined ? {} : { token: tokenFile(path, readText, () => systemClock.now()) };
    const transport = httpsTransport({ ...connection, ...token });
    return { transport, server: connection.server, [Symbol.asyncDispose]: () => transport.close() };
  } catch (error) {
    throw new CliError(`${errorText(error)}. Name a kubeconfig with --kubeconfig.`, exitCodes.usage.code, {
      cause: error,
    });
  }
}

/** The result of requests to the API server; errors name it. */
async function asked<T>({ server }: ConnectedCluster, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof CliError) throw error;
    throw new CliError(
      `The API server ${server}: ${errorText(error)}. Nothing was written. Use a kubeconfig of an administrator of this cluster.`,
      undefined,
      { cause: error },
    );
  }
}

/** The same API, whose errors name the address and the token, and what to do about them. */
function withRemedies({ call }: VaultHttp, { server, token }: { server: string; token: string }): VaultHttp {
  return {
    call: (...request) =>
      call(...request).catch((error: unknown) => {
        throw explained(error, { server, token });
      }),
  };
}

function explained(error: unknown, { server, token }: { server: string; token: string }): unknown {
  if (error instanceof HttpError) {
    const remedy = 'Reach it with kubectl port-forward, and give --address https://127.0.0.1:8200.';
    return new CliError(`OpenBao at ${server}: ${errorText(error)}.\n${remedy}`, undefined, { cause: error });
  }
  if (!(error instanceof VaultError) || error.status !== 403) return error;
  const remedy = `The token of ${token} is wrong, has expired, or its policies do not allow this: give that of an administrator.`;
  return new CliError(`${error.message}\n${remedy}`, undefined, { cause: error });
}
