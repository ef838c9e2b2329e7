// SPDX-License-Identifier: Apache-2.0
import { MessageDecoder, type DecodingLimits } from './message-decoder.ts';
import { messageName } from './messages.ts';
import { WireReader, wrongWireType } from './wire-reader.ts';

/** Kubernetes' protobuf envelope: type and encoded message. */
export interface Envelope {
  readonly apiVersion: string;
  readonly kind: string;
  readonly raw: Uint8Array;
}

const prefix = Buffer.from('k8s\0');

/**
 * Opens an envelope; `expected` is the kind when it names none. Errors have the wording of the Go server. Without limits
 * unless given.
 */
export function openEnvelope(body: Uint8Array, expected = '', limits?: DecodingLimits): Envelope {
  if (body.length === 0) throw new Error('empty data');
  if (!prefix.equals(body.subarray(0, prefix.length))) {
    throw new Error(
      `provided data does not appear to be a protobuf message, expected prefix [${[...prefix].join(' ')}]`,
    );
  }
  if (body.length === prefix.length) throw new Error('empty body');
  const { typeMeta = new Uint8Array(), raw = new Uint8Array() } = partsOf(body.subarray(prefix.length), {
    name: 'Unknown',
    parts: ['typeMeta', 'raw'],
    limits,
  });
  const { apiVersion, kind } = partsOf(typeMeta, { name: 'TypeMeta', parts: ['apiVersion', 'kind'], limits });
  return { apiVersion: textOf(apiVersion), kind: textOf(kind) || expected, raw };
}

/** The object in the envelope, as a JSON client would have sent it; without limits unless given. */
export function decodeEnvelope({ apiVersion, kind, raw }: Envelope, limits?: DecodingLimits): Record<string, unknown> {
  return {
    ...(apiVersion !== '' && { apiVersion }),
    kind,
    ...new MessageDecoder(limits).message(messageName(apiVersion, kind), raw),
  };
}

/** The first fields of a message with only length-delimited ones. */
function partsOf(
  bytes: Uint8Array,
  { name, parts, limits }: { name: string; parts: readonly string[]; limits: DecodingLimits | undefined },
): Partial<Record<string, Uint8Array>> {
  const found: Record<string, Uint8Array> = {};
  for (const { number, wireType, value } of new WireReader(bytes).fields(name)) {
    limits?.addValue();
    const part = parts[number - 1];
    if (part === undefined) continue;
    if (typeof value === 'number') throw wrongWireType(wireType, part);
    found[part] = value;
  }
  return found;
}

function textOf(bytes: Uint8Array | undefined): string {
  return Buffer.from(bytes ?? []).toString();
}
