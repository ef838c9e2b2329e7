// SPDX-License-Identifier: Apache-2.0
import type { Envelope } from '@forge/kube/protobuf/envelope.ts';

/** What a protobuf body shall be, and what is said when it cannot be read. */
export interface ExpectedMessage {
  /** What it is when it does not say so. */
  kind?: string;
  envelope: (why: string, bytes: Uint8Array) => Error;
  message: (why: string, sent: Envelope) => Error;
}

/** Reads a protobuf body. What that takes is loaded on the first such body: many servers never see one. */
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
