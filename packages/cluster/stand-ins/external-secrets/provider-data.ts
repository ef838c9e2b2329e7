// SPDX-License-Identifier: Apache-2.0
import { fieldOf, isObject, type JsonObject } from '@forge/kube/objects/json.ts';
import type { ExternalSecret } from '@forge/kube/third-party/external-secrets.ts';
import { NotReadyError } from '@forge/runtime/queue/reconcile-error.ts';
import { dataPath } from './kv-paths.ts';
import type { VaultClient } from './vault.ts';

type Spec = ExternalSecret['spec'];
type RemoteRef = NonNullable<Spec['data']>[number]['remoteRef'];

/** The data of an ExternalSecret in a store. */
interface ProviderData {
  values: Record<string, string>;
  /** Messages of Events about skipped paths, at which the store has no content. */
  missing: string[];
}

/**
 * Reads the data of an ExternalSecret: first whole secrets, then single values. A path without content is skipped, or
 * an error when the Secret is retained.
 */
export async function providerData(
  { spec }: ExternalSecret,
  mount: string | undefined,
  session: VaultClient,
): Promise<ProviderData> {
  const values: Record<string, string> = {};
  const missing: string[] = [];
  const isRetained = (spec.target?.deletionPolicy ?? 'Retain') === 'Retain';
  const contentAt = async (key: string) => {
    const content = (await session.get(dataPath(mount, key)))?.['data'];
    if (!isObject(content) && isRetained) throw new Error('Secret does not exist');
    return isObject(content) ? content : undefined;
  };
  for (const [index, { extract }] of (spec.dataFrom ?? []).entries()) {
    await processing(nameOfSource(index), async () => {
      if (extract === undefined) throw new Error('this stand-in supports only extract');
      const content = await contentAt(extract.key);
      if (content === undefined) missing.push(`secret does not exist at provider using spec.dataFrom[${index}]`);
      else Object.assign(values, mapOf(content, extract));
    });
  }
  for (const [index, { secretKey, remoteRef }] of (spec.data ?? []).entries()) {
    await processing(nameOfValue(index, remoteRef), async () => {
      const content = await contentAt(remoteRef.key);
      // External Secrets also writes dataFrom here.
      const text = `secret does not exist at provider using spec.dataFrom[${index}] (key=${remoteRef.key})`;
      if (content === undefined) missing.push(text);
      else values[secretKey] = valueOf(content, remoteRef);
    });
  }
  return { values, missing };
}

/**
 * Prefixes errors with the first source of an ExternalSecret, as External Secrets does when the store cannot be used.
 */
export function processingFirst<T>({ spec }: ExternalSecret, work: () => Promise<T>): Promise<T> {
  const [value] = spec.data ?? [];
  const isWhole = (spec.dataFrom ?? []).length > 0 || value === undefined;
  return processing(isWhole ? nameOfSource(0) : nameOfValue(0, value.remoteRef), work);
}

const nameOfSource = (index: number) => `spec.dataFrom[${index}].extract`;
const nameOfValue = (index: number, { key }: RemoteRef) => `spec.data[${index}] (key: ${key})`;

const prefix = 'error processing ';

/** Prefixes errors with the source in which they occurred, unless they already have a prefix. */
async function processing<T>(name: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    if (message.startsWith(prefix)) throw error;
    const text = `${prefix}${name}, err: ${message}`;
    throw error instanceof NotReadyError ? new NotReadyError(text) : new Error(text, { cause: error });
  }
}

/** Every field of a secret, or of the JSON object in one of them; characters that are invalid in keys become `_`. */
function mapOf(content: JsonObject, { key, property }: RemoteRef): Record<string, string> {
  const whole = property === undefined ? content : parsed(valueOf(content, { key, property }));
  const entries = Object.entries(whole).map(([name, value]) => [
    name.replaceAll(/[^-._a-zA-Z0-9]/g, '_'),
    textOf(value),
  ]);
  return Object.fromEntries(entries) as Record<string, string>;
}

function parsed(text: string): JsonObject {
  const value: unknown = JSON.parse(text);
  if (!isObject(value)) throw new Error('unable to unmarshal secret: not an object');
  return value;
}

function valueOf(content: JsonObject, { property }: RemoteRef): string {
  if (property === undefined) return JSON.stringify(content);
  const value = fieldOf(content, property) ?? property.split('.').reduce<unknown>(step, content);
  if (value === undefined) throw new Error(`cannot find secret data for key: "${property}"`);
  return textOf(value);
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function step(value: unknown, field: string): unknown {
  return isObject(value) ? fieldOf(value, field) : undefined;
}
