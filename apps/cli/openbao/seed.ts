// SPDX-License-Identifier: Apache-2.0
import { managedBy } from '@forge/cluster/stand-ins/external-secrets/push-entry.ts';
import { VaultError, type VaultHttp } from '@forge/cluster/stand-ins/external-secrets/vault-http.ts';
import { isObject, type JsonObject } from '@forge/kube/objects/json.ts';
import type { Random } from '@forge/runtime/environment/random.ts';
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

/** The result for a path. */
export interface Seeded {
  path: string;
  outcome: 'written' | 'kept' | 'replaced';
}

/**
 * Writes generated credentials of a Keystone where there are none; existing ones are kept. The database account has the
 * name of the Keystone, like the MariaDB User that the operator creates.
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
  // All paths are read before one is written, so that nothing is written when one of them must be corrected.
  const found: [Entry, Found][] = [];
  for (const [path, values] of entries) {
    const entry = { mount, path, values };
    found.push([entry, await find(api, entry)]);
  }
  const seeded: Seeded[] = [];
  for (const [entry, { exists, version }] of found) {
    if (!exists) await write(api, entry, version);
    seeded.push({ path: `${mount}/${entry.path}`, outcome: exists ? 'kept' : 'written' });
  }
  return seeded;
}

/** Generated values, and their path. */
interface Entry {
  mount: string;
  path: string;
  values: Readonly<Record<string, string>>;
}

/** The content and the version of a path; a deleted version counts. */
interface Found {
  exists: boolean;
  version: number;
}

async function find({ call }: VaultHttp, { mount, path, values }: Entry): Promise<Found> {
  const found = await withRemedy(mount, path, async () => (await call('GET', `${mount}/data/${path}`))?.['data']);
  if (isObject(found) && isObject(found['data'])) {
    requireKeys(found['data'], Object.keys(values), `${mount}/${path}`);
    return { exists: true, version: 0 };
  }
  const version = isObject(found) && isObject(found['metadata']) ? found['metadata']['version'] : 0;
  return { exists: false, version: typeof version === 'number' ? version : 0 };
}

async function write({ call }: VaultHttp, { mount, path, values }: Entry, version: number): Promise<void> {
  await withRemedy(mount, path, async () => {
    await call('PUT', `${mount}/metadata/${path}`, { custom_metadata: managedBy });
    await call('PUT', `${mount}/data/${path}`, { data: values, options: { cas: version } });
  });
}

/** Throws when the content at a path lacks a key that Keystone needs, or its value is empty. */
function requireKeys(content: JsonObject, keys: readonly string[], path: string): void {
  const unusable = keys.filter((key) => typeof content[key] !== 'string' || content[key] === '');
  if (unusable.length === 0) return;
  throw new CliError(
    `${path} exists without ${unusable.join(' and ')}. Add what is missing or empty, or delete the path and seed again.`,
  );
}

/** Adds a remedy to errors of `run`. */
async function withRemedy<T>(mount: string, path: string, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof VaultError)) throw error;
    const remedies: Readonly<Record<number, string>> = {
      400: 'Somebody else wrote this path at the same time. Run the command again.',
      403: `Use a token with create, read and update on ${mount}/data/${path} and ${mount}/metadata/${path}.`,
      404: `Enable a KV engine of version 2 at ${mount}, or name its mount with --mount.`,
      503: 'Unseal OpenBao.',
    };
    const remedy = remedies[error.status];
    throw remedy === undefined ? error : new CliError(`${error.message}\n${remedy}`, undefined, { cause: error });
  }
}

function password(random: Random): string {
  return Buffer.from(random.bytes(24)).toString('base64url');
}
