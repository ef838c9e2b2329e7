// SPDX-License-Identifier: Apache-2.0
import { isObject, type JsonObject } from '@forge/kube/objects/json.ts';
import type { ClusterSecretStore } from '@forge/kube/third-party/external-secrets.ts';
import { sleep, type Clock } from '@forge/runtime/environment/clock.ts';
import { milliseconds, now, seconds, type Duration } from '@forge/runtime/environment/duration.ts';
import { managedBy } from './push-entry.ts';
import type { VaultClient, Vaults } from './vault.ts';

/** A KV version 2 server in memory, which can fail in all ways of a real one. */
export interface FakeVault {
  /** Whether it responds: `hung` accepts requests and never responds. */
  health: 'up' | 'down' | 'sealed' | 'hung';
  /** How long each response takes. */
  latency: Duration;
  /** Whether the policy forbids a request: `DELETE kv-v2/metadata/a`. */
  forbids: (request: string) => boolean;
  /** The requests that it received, oldest first. */
  readonly requests: readonly string[];
  /** A connection of one process to it, on that process's clock. */
  reachedBy(clock: Clock): Vaults;
  /** The content at `{mount}/{key}`; undefined when there is none. */
  read(path: string): JsonObject | undefined;
  /** Writes like another tool: without the metadata of External Secrets, unless `marked`. */
  write(path: string, data: JsonObject, options?: { marked?: boolean }): void;
  /** Every `{mount}/{key}` that has content. */
  paths(): string[];
  /** A copy with the same content, which is up. */
  fork(): FakeVault;
}

interface Entry {
  data: JsonObject | undefined;
  customMetadata: JsonObject | undefined;
}

/** External Secrets tries three times before it gives up. */
const refusedAfter = milliseconds(3500);
const hungFor = seconds(60);

/** An empty server. */
export function fakeVault(): FakeVault {
  return vaultOf(new Map());
}

function vaultOf(entries: Map<string, Entry>): FakeVault {
  const requests: string[] = [];

  function entryAt(path: string): Entry {
    const entry = entries.get(path) ?? { data: undefined, customMetadata: undefined };
    entries.set(path, entry);
    return entry;
  }

  async function reach(clock: Clock, request: string): Promise<void> {
    requests.push(request);
    const { health, latency } = vault;
    if (health === 'hung') await sleep(clock, hungFor);
    if (health === 'down' || health === 'sealed') await sleep(clock, refusedAfter);
    if (health === 'up' && latency > now) await sleep(clock, latency);
    if (health === 'hung') throw new Error(`${request}: context deadline exceeded`);
    if (health === 'down') throw new Error(`${request}: connect: connection refused`);
    if (health === 'sealed') throw new Error(`${request}: Code: 503. Errors: * Vault is sealed`);
    if (vault.forbids(request)) throw new Error(`${request}: Code: 403. Errors: * permission denied`);
  }

  function session(clock: Clock): VaultClient {
    return {
      lookupSelf: () => reach(clock, 'GET auth/token/lookup-self'),
      async get(path) {
        await reach(clock, `GET ${path}`);
        const { part, at } = placeOf(path);
        const entry = entries.get(at);
        if (part === 'data') return entry?.data && { data: entry.data };
        return entry && { custom_metadata: entry.customMetadata ?? null };
      },
      async put(path, body) {
        await reach(clock, `PUT ${path}`);
        const { part, at } = placeOf(path);
        const entry = entryAt(at);
        if (part === 'data') entry.data = content(body['data']);
        else entry.customMetadata = content(body['custom_metadata']);
      },
      async delete(path) {
        await reach(clock, `DELETE ${path}`);
        const { part, at } = placeOf(path);
        if (part === 'metadata') entries.delete(at);
        else if (entries.has(at)) entryAt(at).data = undefined;
      },
      async close() {},
    };
  }

  const vault: FakeVault = {
    health: 'up',
    latency: now,
    forbids: () => false,
    requests,
    reachedBy: (clock) => ({
      async connect(store) {
        const mount = loginMount(store);
        if (mount !== undefined) await reach(clock, `PUT auth/${mount}/login`);
        return session(clock);
      },
    }),
    read: (path) => entries.get(path)?.data,
    write(path, data, { marked = false } = {}) {
      entries.set(path, { data, customMetadata: marked ? managedBy : undefined });
    },
    paths: () => [...entries].filter(([, { data }]) => data !== undefined).map(([path]) => path),
    fork: () => vaultOf(new Map([...entries].map(([path, entry]) => [path, { ...entry }]))),
  };
  return vault;
}

/** The auth mount at which a store logs in; a static token needs no login. */
function loginMount({ spec }: ClusterSecretStore): string | undefined {
  const { kubernetes, appRole } = spec.provider.vault?.auth ?? {};
  return kubernetes?.mountPath ?? appRole?.path;
}

function placeOf(path: string): { part: string; at: string } {
  const [, mount = '', part = '', key = ''] = /^([^/]+)\/(data|metadata)\/(.+)$/.exec(path) ?? [];
  if (part === '') throw new Error(`${path}: Code: 404. Errors: * no handler for route`);
  return { part, at: `${mount}/${key}` };
}

function content(value: unknown): JsonObject {
  if (!isObject(value)) throw new Error('Code: 400. Errors: * no data provided');
  return value;
}
