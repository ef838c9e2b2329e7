// SPDX-License-Identifier: Apache-2.0
import { fieldOf, isObject, type JsonObject } from '@forge/kube/objects/json.ts';
import type { ExternalSecret } from '@forge/kube/third-party/external-secrets.ts';
import { dataPath } from './kv-paths.ts';
import type { VaultClient } from './vault.ts';

/** Reads what an ExternalSecret asks for; a path without content is skipped, unless the Secret is retained: then it is an error. */
export async function providerData(
  { spec }: ExternalSecret,
  mount: string | undefined,
  session: VaultClient,
): Promise<Record<string, string>> {
  if (spec.dataFrom !== undefined) throw new Error('this stand-in does not play dataFrom');
  const found: Record<string, string> = {};
  for (const { secretKey, remoteRef } of spec.data ?? []) {
    const content = (await session.get(dataPath(mount, remoteRef.key)))?.['data'];
    if (isObject(content)) found[secretKey] = valueOf(content, remoteRef);
    else if ((spec.target?.deletionPolicy ?? 'Retain') === 'Retain') {
      throw new Error(
        `error retrieving secret at .data[${secretKey}], key: ${remoteRef.key}, err: Secret does not exist`,
      );
    }
  }
  return found;
}

function valueOf(content: JsonObject, { key, property }: { key: string; property?: string }): string {
  if (property === undefined) return JSON.stringify(content);
  const value = fieldOf(content, property) ?? property.split('.').reduce<unknown>(step, content);
  if (value === undefined) throw new Error(`cannot find secret data for key: "${key}.${property}"`);
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function step(value: unknown, field: string): unknown {
  return isObject(value) ? fieldOf(value, field) : undefined;
}
