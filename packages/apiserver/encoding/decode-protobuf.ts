// SPDX-License-Identifier: Apache-2.0
import { ApiError } from '@forge/kube/errors/api-error.ts';
import type { Envelope } from '@forge/kube/protobuf/envelope.ts';
import type { DecodingLimits } from '@forge/kube/protobuf/message-decoder.ts';
import { BodyLimits, checkSize } from './object-size.ts';
import { parseJson } from './parse-json.ts';

/** The expected kind of a protobuf body, and error messages for undecodable ones. */
export interface ExpectedMessage {
  /** The kind when the envelope has none. */
  kind?: string;
  envelope: (why: string, bytes: Uint8Array) => Error;
  message: (why: string, sent: Envelope) => Error;
}

/** Decodes a protobuf body, within the limits of any body. The decoder is loaded on first use: many servers never need it. */
export async function decodeProtobuf(
  body: Uint8Array,
  { kind = '', envelope, message }: ExpectedMessage,
): Promise<unknown> {
  const { openEnvelope, decodeEnvelope } = await import('@forge/kube/protobuf/envelope.ts');
  const counted = new BodyLimits();
  const limits: DecodingLimits = {
    addValue: () => counted.addValue(),
    checkMembers: (members) => counted.checkMembers(members),
    checkNesting: (depth) => counted.checkNesting(depth),
    parseJson: (bytes) => parseJson(bytes, counted).value,
  };
  const sent = mapError(
    () => openEnvelope(body, kind, limits),
    (why) => envelope(why, body),
  );
  const decoded = mapError(
    () => decodeEnvelope(sent, limits),
    (why) => message(why, sent),
  );
  // JSON in a message is nested as deep as both together.
  checkSize(decoded);
  return decoded;
}

function mapError<T>(run: () => T, failure: (why: string) => Error): T {
  try {
    return run();
  } catch (error) {
    throw error instanceof ApiError ? error : failure((error as Error).message);
  }
}
