// SPDX-License-Identifier: Apache-2.0
import type { Secret } from '@forge/kube/kinds/builtin.ts';
import { isObject, jsonEqual, type JsonObject } from '@forge/kube/objects/json.ts';
import type { PushSecret } from '@forge/kube/third-party/external-secrets.ts';
import { dataPath, metadataPath } from './kv-paths.ts';
import type { VaultClient } from './vault.ts';

/** One entry of a PushSecret's data. */
export type PushEntry = NonNullable<PushSecret['spec']['data']>[number];

/** Metadata of content that External Secrets manages; it does not change content without it. */
export const managedBy = { 'managed-by': 'external-secrets' } as const;

/** The key of an entry in `syncedPushSecrets`. */
export function entryName({ match }: PushEntry): string {
  const { remoteKey, property } = match.remoteRef;
  return property === undefined ? remoteKey : `${remoteKey}/${property}`;
}

/** Writes one entry, unless it is up to date; unmanaged content is an error. */
export async function push(
  entry: PushEntry,
  secret: Secret,
  { mount, session, update }: { mount: string | undefined; session: VaultClient; update: 'Replace' | 'IfNotExists' },
): Promise<void> {
  const { remoteKey, property } = entry.match.remoteRef;
  const [data, metadata] = [dataPath(mount, remoteKey), metadataPath(mount, remoteKey)];
  const current = await contentAt(session, data);
  if (current !== undefined) {
    if (!isMarked(await session.get(metadata))) throw new Error('secret not managed by external-secrets');
    if (update === 'IfNotExists' && (property === undefined || property in current)) return;
  }
  const wanted = pushed(entry, secret, current ?? {});
  if (current !== undefined && jsonEqual(current, wanted)) return;
  await session.put(metadata, { custom_metadata: managedBy });
  await session.put(data, { data: wanted });
}

/** Deletes the content of an entry; silently skips unmanaged content. */
export async function deleteRemote(
  { match }: PushEntry,
  { mount, session }: { mount: string | undefined; session: VaultClient },
): Promise<void> {
  const { remoteKey, property } = match.remoteRef;
  const [data, metadata] = [dataPath(mount, remoteKey), metadataPath(mount, remoteKey)];
  const current = await contentAt(session, data);
  if (current === undefined || !isMarked(await session.get(metadata))) return;
  const { [property ?? '']: _, ...rest } = current;
  if (property !== undefined && Object.keys(rest).length > 0) {
    await session.put(data, { data: rest });
    return;
  }
  await session.delete(data);
  await session.delete(metadata);
}

/** The content of the path after the push. */
function pushed({ match }: PushEntry, { data = {} }: Secret, current: JsonObject): JsonObject {
  const { property } = match.remoteRef;
  // As in External Secrets, invalid UTF-8 becomes U+FFFD.
  const texts = Object.fromEntries(
    Object.entries(data).map(([key, value]) => [key, Buffer.from(value, 'base64').toString('utf8')]),
  );
  const { secretKey = '' } = match;
  if (secretKey === '') return property === undefined ? texts : { ...current, [property]: JSON.stringify(texts) };
  const value = texts[secretKey];
  if (value === undefined) throw new Error(`secret key "${secretKey}" does not exist`);
  if (property !== undefined) return { ...current, [property]: value };
  const whole = parsed(value);
  if (!isObject(whole)) throw new Error('error unmarshalling vault secret: invalid character');
  return whole;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

async function contentAt(session: VaultClient, path: string): Promise<JsonObject | undefined> {
  const content = (await session.get(path))?.['data'];
  return isObject(content) ? content : undefined;
}

function isMarked(metadata: JsonObject | undefined): boolean {
  const custom = metadata?.['custom_metadata'];
  return isObject(custom) && custom['managed-by'] === managedBy['managed-by'];
}
