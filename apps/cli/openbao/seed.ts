// SPDX-License-Identifier: Apache-2.0
import { ownMark } from '@forge/cluster/stand-ins/external-secrets/push-entry.ts';
import { VaultError, type VaultHttp } from '@forge/cluster/stand-ins/external-secrets/vault-http.ts';
import { isObject } from '@forge/kube/objects/json.ts';
import type { Random } from '@forge/runtime/random/random.ts';
import { CliError } from '../terminal/cli-error.ts';

/** The Keystone whose credentials are seeded, and the ControlPlane that it belongs to, if any. */
export interface SeedTarget {
  namespace: string;
  keystone: string;
  controlPlane?: string;
}

/** Paths of a Keystone's credentials, relative to the KV mount. */
export function credentialPaths({ namespace, keystone, controlPlane }: SeedTarget): {
  database: string;
  admin: string;
} {
  return {
    database: `openstack/keystone/${namespace}/${controlPlane ?? keystone}/db`,
    admin: `bootstrap/${namespace}/${keystone}/admin`,
  };
}

/** What became of a path. */
export interface Seeded {
  path: string;
  outcome: 'written' | 'kept';
}

/**
 * Writes generated credentials of a Keystone where there are none; what is there is kept. The database account is named
 * after the Keystone, as is the MariaDB User that the operator creates.
 */
export async function seed(
  api: VaultHttp,
  target: SeedTarget,
  { mount, random }: { mount: string; random: Random },
): Promise<Seeded[]> {
  const paths = credentialPaths(target);
  const entries: [path: string, values: Record<string, string>][] = [
    [paths.database, { username: target.keystone, password: password(random) }],
    [paths.admin, { password: password(random) }],
  ];
  const seeded: Seeded[] = [];
  for (const [path, values] of entries) {
    seeded.push({ path: `${mount}/${path}`, outcome: await writeIfAbsent(api, { mount, path, values }) });
  }
  return seeded;
}

async function writeIfAbsent(
  { call }: VaultHttp,
  { mount, path, values }: { mount: string; path: string; values: Record<string, string> },
): Promise<Seeded['outcome']> {
  const data = `${mount}/data/${path}`;
  try {
    const found = (await call('GET', data))?.['data'];
    if (isObject(found) && isObject(found['data'])) {
      requireKeys(found['data'], Object.keys(values), `${mount}/${path}`);
      return 'kept';
    }
    // A deleted version still counts.
    const version = isObject(found) && isObject(found['metadata']) ? found['metadata']['version'] : 0;
    await call('PUT', `${mount}/metadata/${path}`, { custom_metadata: ownMark });
    await call('PUT', data, { data: values, options: { cas: typeof version === 'number' ? version : 0 } });
    return 'written';
  } catch (error) {
    throw withRemedy(error, mount, path);
  }
}

/** Throws when the content at a path lacks a key that Keystone needs. */
function requireKeys(content: object, keys: readonly string[], path: string): void {
  const missing = keys.filter((key) => !(key in content));
  if (missing.length === 0) return;
  throw new CliError(
    `${path} exists without ${missing.join(' and ')}. Add what is missing, or delete the path and seed again.`,
  );
}

/** The error with what to do about it. */
function withRemedy(error: unknown, mount: string, path: string): unknown {
  if (!(error instanceof VaultError)) return error;
  const remedies: Readonly<Record<number, string>> = {
    400: 'Somebody else wrote this path at the same time. Run the command again.',
    403: `Use a token with create, read and update on ${mount}/data/${path} and ${mount}/metadata/${path}.`,
    404: `Enable a KV engine of version 2 at ${mount}, or name its mount with --mount.`,
    503: 'Unseal OpenBao.',
  };
  const remedy = remedies[error.status];
  return remedy === undefined ? error : new CliError(`${error.message}\n${remedy}`, undefined, { cause: error });
}

function password(random: Random): string {
  return Buffer.from(random.bytes(24)).toString('base64url');
}
