// SPDX-License-Identifier: Apache-2.0
import { VaultError, type VaultHttp } from '@forge/cluster/stand-ins/external-secrets/vault-http.ts';
import { isObject, type JsonObject } from '@forge/kube/objects/json.ts';
import { jwtMount, type JwtAccess } from '@forge/openbao/clients/jwt-access.ts';
import { CliError } from '../terminal/cli-error.ts';
import type { JwtTrust } from './jwt-trust.ts';
import type { Seeded } from './seed.ts';

/** What OpenBao must hold so that ServiceAccounts can log in. */
export interface WantedAccess {
  readonly trust: JwtTrust;
  readonly roles: readonly JwtAccess[];
}

/** A path, what it must hold, and what it holds; undefined for nothing. */
interface Item {
  readonly path: string;
  readonly wanted: JsonObject;
  readonly found: JsonObject | undefined;
  /** The fields that it has otherwise. */
  readonly differs: readonly string[];
}

/**
 * Sets up the logins of a cluster's ServiceAccounts, with their policies: what is missing is written, what is there and
 * differs only with `replace`. Everything is read, and the token tried, before anything is written.
 */
export async function seedAccess(
  api: VaultHttp,
  { trust, roles }: WantedAccess,
  { replace }: { replace: boolean },
): Promise<Seeded[]> {
  const isMounted = await findMount(api);
  const config = `auth/${jwtMount}/config`;
  const read = isMounted ? (path: string, wanted: JsonObject) => itemAt(api, path, wanted) : missing;
  // The configuration first: OpenBao refuses it when it cannot read keys.
  const items: Item[] = [await read(config, { ...noTrust, ...trust })];
  for (const { policy } of roles) {
    items.push(await itemAt(api, `sys/policies/acl/${policy.name}`, { policy: policy.text }));
  }
  for (const { role, settings } of roles) {
    items.push(await read(`auth/${jwtMount}/role/${role}`, { ...settings }));
  }
  const wrong = items.filter(({ differs }) => differs.length > 0);
  if (wrong.length > 0 && !replace) throw refusal(wrong);
  const writes = items.filter(({ found, differs }) => found === undefined || differs.length > 0);
  const mount = `sys/auth/${jwtMount}`;
  await requireCapabilities(api, [...(isMounted ? [] : [mount]), ...writes.map(({ path }) => path)]);

  if (!isMounted) await written(api, mount, { type: 'jwt' });
  for (const { path, wanted } of writes) await written(api, path, wanted);
  return [
    { path: mount, outcome: isMounted ? 'kept' : 'written' },
    ...items.map(({ path, found, differs }): Seeded => {
      if (found === undefined) return { path, outcome: 'written' };
      return { path, outcome: differs.length > 0 ? 'replaced' : 'kept' };
    }),
  ];
}

/** The sources of keys of which the configuration has one; those that it does not have are empty. */
const noTrust = {
  jwt_validation_pubkeys: [],
  jwks_url: '',
  jwks_ca_pem: '',
  oidc_discovery_url: '',
  oidc_discovery_ca_pem: '',
};

const missing = (path: string, wanted: JsonObject): Item => ({ path, wanted, found: undefined, differs: [] });

/** Whether the auth method is enabled; throws when something else is in its place. */
async function findMount(api: VaultHttp): Promise<boolean> {
  const mounts = (await withRemedy(() => api.call('GET', 'sys/auth')))?.['data'];
  const found = isObject(mounts) ? mounts[`${jwtMount}/`] : undefined;
  if (found === undefined) return false;
  const type = isObject(found) ? found['type'] : undefined;
  if (type === 'jwt') return true;
  throw new CliError(
    `auth/${jwtMount}: an auth method of type ${JSON.stringify(type)} is enabled there, and the operator logs in at this path. Nothing was written. Move it with bao auth move, then run the command again.`,
  );
}

async function itemAt(api: VaultHttp, path: string, wanted: JsonObject): Promise<Item> {
  const data = (await withRemedy(() => api.call('GET', path)))?.['data'];
  if (!isObject(data)) return missing(path, wanted);
  const differs = Object.keys(wanted).filter((field) => !isSame(wanted[field], data[field]));
  return { path, wanted, found: data, differs };
}

/** Lists are sets; what is empty may be absent; texts may have lost their last line end. */
function isSame(wanted: unknown, found: unknown): boolean {
  return comparable(wanted) === comparable(found);
}

function comparable(value: unknown): string {
  const texts = [value ?? []].flat().map((each) => (typeof each === 'string' ? each.trim() : JSON.stringify(each)));
  return JSON.stringify(texts.filter((each) => each !== '').toSorted());
}

function refusal(wrong: readonly Item[]): CliError {
  const texts = wrong.map(({ path, differs }) => `${path} is there, and has another ${differs.join(' and ')}.`);
  const remedy =
    'Nothing was written. Look at them with bao read; --replace overwrites them, or give others their own names.';
  return new CliError([...texts, remedy].join('\n'));
}

const needed = (path: string) => ['create', 'read', 'update', ...(path.startsWith('sys/auth/') ? ['sudo'] : [])];

/** Throws when the token may not write all of it, so that nothing is written by half. */
async function requireCapabilities(api: VaultHttp, paths: readonly string[]): Promise<void> {
  if (paths.length === 0) return;
  const answer = await withRemedy(() => api.call('PUT', 'sys/capabilities-self', { paths: [...paths] }));
  const granted = isObject(answer?.['data']) ? answer['data'] : {};
  const lacking = paths.flatMap((path) => {
    const held = [granted[path] ?? []].flat();
    if (held.includes('root')) return [];
    const lacks = needed(path).filter((each) => !held.includes(each));
    return lacks.length === 0 ? [] : [`${lacks.join(', ')} on ${path}`];
  });
  if (lacking.length === 0) return;
  throw new CliError(
    `The policies of the token do not allow ${lacking.join('; ')}. Nothing was written. Use a token that may do it, such as that of an administrator.`,
  );
}

async function written(api: VaultHttp, path: string, wanted: JsonObject): Promise<void> {
  try {
    await withRemedy(() => api.call('PUT', path, wanted));
  } catch (error) {
    const url = wanted['jwks_url'] ?? wanted['oidc_discovery_url'];
    if (typeof url !== 'string' || url === '' || !(error instanceof CliError)) throw error;
    throw new CliError(
      `${error.message}\nIt reads the keys at ${url}: check this URL, --issuer-ca-file, and that spec.network.egressRules lets the servers reach it.`,
      undefined,
      { cause: error },
    );
  }
}

/** Adds a remedy to errors of `run`. */
async function withRemedy<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof VaultError)) throw error;
    const remedies: Readonly<Record<number, string>> = {
      400: 'Correct what OpenBao says of it, and run the command again: it goes on where it ended.',
      503: 'Wait until OpenBao is initialised and unsealed.',
    };
    const remedy = remedies[error.status];
    throw remedy === undefined ? error : new CliError(`${error.message}\n${remedy}`, undefined, { cause: error });
  }
}
