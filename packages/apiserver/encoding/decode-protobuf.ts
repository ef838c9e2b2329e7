// SPDX-License-Identifier: Apache-2.0
import type { Envelope } from '@forge/kube/protobuf/envelope.ts';

/** The expected kind of a protobuf body, and error messages for undecodable ones. */
export interface ExpectedMessage {
  /** The kind when the envelope has none. */
  kind?: string;
  envelope: (why: string, bytes: Uint8Array) => Error;
  message: (why: string, sent: Envelope) => Error;
}

/** Decodes a protobuf body. The decoder is loaded on first use: many servers never need it. */
export async function decodeProtobuf(
  body: Uint8Array,
  { kind = '', envelope, message }: ExpectedMessage,
): Promise<unknown> {
  const { openEnvelope, decodeEnvelope } = await import('@forge/kube/protobuf/envelope.ts');
  const sent = mapError(
    () => openEnvelope(body, kind),
    (why) => envelope(why, body),
  );
  return mapError(
    () => decodeEnvelope(sent),
    (why) => message(why, sent),
  );
}

function mapError<T>(run: () => T, failure: (why: string) => Error): T {
  try {
    return run();
  } catch (error) {
    throw failure((error as Error).message);
  }
}
