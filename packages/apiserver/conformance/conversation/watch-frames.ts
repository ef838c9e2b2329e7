// SPDX-License-Identifier: Apache-2.0
import { decodeEnvelope, openEnvelope } from '@forge/kube/protobuf/envelope.ts';
import { WireReader } from '@forge/kube/protobuf/wire-reader.ts';

/** Splits a protobuf watch stream into its length-prefixed events. */
export async function* watchFrames(body: AsyncIterable<Uint8Array>): AsyncGenerator {
  let buffer = Buffer.alloc(0);
  for await (const chunk of body) {
    buffer = Buffer.concat([buffer, chunk]);
    while (buffer.length >= 4 && buffer.length >= 4 + buffer.readUInt32BE()) {
      const end = 4 + buffer.readUInt32BE();
      yield eventOf(buffer.subarray(4, end));
      buffer = buffer.subarray(end);
    }
  }
}

function eventOf(frame: Uint8Array): unknown {
  const [type, object] = [...new WireReader(frame).fields('WatchEvent')].map(({ value }) => value as Uint8Array);
  const [raw] = [...new WireReader(object ?? new Uint8Array()).fields('RawExtension')];
  return { type: Buffer.from(type ?? []).toString(), object: decodeEnvelope(openEnvelope(raw?.value as Uint8Array)) };
}
