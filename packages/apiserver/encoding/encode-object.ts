// SPDX-License-Identifier: Apache-2.0
import type { JsonObject } from '@forge/kube/objects/json.ts';
import { encodeEnvelope, encodeMessage, listEnvelope } from '@forge/kube/protobuf/encode-envelope.ts';
import { messageName } from '@forge/kube/protobuf/messages.ts';
import { lazyPayload, type ListParts, type Payload } from '../messages/payload.ts';
import { inSlices, slicesOf } from '../messages/slices.ts';
import { yamlText } from './yaml-text.ts';

/** Encodes an object or list; the items of a list are encoded in slices, and keep their kind if `repeatsKind`. */
export async function encodeObject(
  payload: Payload,
  encoding: 'yaml' | 'protobuf',
  repeatsKind: boolean,
): Promise<Payload> {
  const { list } = payload;
  if (list === undefined || isEmpty(list.items)) {
    const value = payload.value as JsonObject;
    return { value, bytes: encoding === 'yaml' ? Buffer.from(yamlText(value)) : encodeEnvelope(value) };
  }
  const parts = encoding === 'yaml' ? yamlParts(list, repeatsKind) : await protobufParts(list);
  return lazyPayload(
    () => payload.value,
    () => Buffer.concat([...parts()]),
    { pieces: () => slicesOf(parts(), ({ length }) => length) },
  );
}

/** The parts of a list in YAML, each encoded when it is iterated. */
function yamlParts({ head, field, items }: ListParts, repeatsKind: boolean): () => Iterable<Uint8Array> {
  return function* parts() {
    const [before, after = ''] = yamlText({ ...head, [field]: [] }).split(`${field}: []\n`);
    yield Buffer.from(`${before}${field}:\n`);
    for (const item of items) yield Buffer.from(yamlText([repeatsKind ? item : withoutKind(item as JsonObject)]));
    yield Buffer.from(after);
  };
}

/** The parts of a list in protobuf, which begins with its size: all items are encoded first. */
async function protobufParts({ head, items }: ListParts): Promise<() => Iterable<Uint8Array>> {
  const { apiVersion = '', kind = '' } = head as { apiVersion?: string; kind?: string };
  const type = messageName(apiVersion, kind).replace(/List$/, '');
  const messages: Uint8Array[] = [];
  const encoded = function* (): Generator<Uint8Array> {
    for (const item of items) yield encodeMessage(type, item as JsonObject);
  };
  for await (const slice of inSlices(encoded(), ({ length }) => length)) messages.push(...slice);
  const parts = listEnvelope(head, messages);
  return () => parts;
}

function isEmpty(items: Iterable<unknown>): boolean {
  for (const _ of items) return false;
  return true;
}

function withoutKind(object: JsonObject): JsonObject {
  const { kind: _, apiVersion: __, ...rest } = object;
  return rest;
}
