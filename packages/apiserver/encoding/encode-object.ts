// SPDX-License-Identifier: Apache-2.0
import { setImmediate } from 'node:timers/promises';
import type { JsonObject } from '@forge/kube/objects/json.ts';
import { encodeEnvelope, encodeListEnvelope, encodeMessage } from '@forge/kube/protobuf/encode-envelope.ts';
import { messageName } from '@forge/kube/protobuf/messages.ts';
import { yamlText } from './yaml-text.ts';

/** Items encoded per turn of the event loop. */
const batchSize = 200;

/** Encodes an object or list; the event loop runs between batches of items, and items keep their kind if `repeatsKind`. */
export async function encodeObject(
  object: JsonObject,
  encoding: 'yaml' | 'protobuf',
  repeatsKind: boolean,
): Promise<Uint8Array> {
  const { items, ...head } = object;
  if (!Array.isArray(items) || items.length === 0) {
    return encoding === 'yaml' ? Buffer.from(yamlText(object)) : encodeEnvelope(object);
  }
  const { apiVersion = '', kind = '' } = head as { apiVersion?: string; kind?: string };
  const type = messageName(apiVersion, kind).replace(/List$/, '');
  const parts = await inBatches(items as JsonObject[], (item) =>
    encoding === 'yaml' ? yamlText([repeatsKind ? item : withoutKind(item)]) : encodeMessage(type, item),
  );
  if (encoding === 'protobuf') return encodeListEnvelope(head, parts as Uint8Array[]);
  const [before, after] = yamlText({ ...head, items: [] }).split('items: []\n');
  return Buffer.from(`${before}items:\n${parts.join('')}${after}`);
}

async function inBatches<T>(items: readonly JsonObject[], encode: (item: JsonObject) => T): Promise<T[]> {
  const parts: T[] = [];
  for (const [index, item] of items.entries()) {
    if (index > 0 && index % batchSize === 0) await setImmediate();
    parts.push(encode(item));
  }
  return parts;
}

function withoutKind(object: JsonObject): JsonObject {
  const { kind: _, apiVersion: __, ...rest } = object;
  return rest;
}
