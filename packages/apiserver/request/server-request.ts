// SPDX-License-Identifier: Apache-2.0
import type { Duplex } from 'node:stream';
import type { Encoding } from './negotiate.ts';
import type { Payload } from './payload.ts';

/** Who asks. */
export interface User {
  name: string;
  groups: readonly string[];
  uid?: string;
  /** What the authenticator knows beyond names. */
  extra?: Readonly<Record<string, readonly string[]>>;
}

/** A request as the transport-free core takes it. */
export interface ServerRequest {
  method: string;
  path: string;
  query: Readonly<Record<string, string>>;
  /** The query as it was written: the words of a command are told one by one. */
  search?: string | undefined;
  /** Names in lower case. */
  headers: Readonly<Record<string, string>>;
  /** Bytes as they came over the wire, or the JSON value of a caller in this process. */
  body?: unknown;
  /** Reads the body when it has not been read yet: the core asks for it once it knows that the caller may send it. */
  readBody?: (() => Promise<Uint8Array>) | undefined;
  /** Nobody, when the caller did not say who it is. */
  user?: User | undefined;
  signal?: AbortSignal | undefined;
}

/** What every answer has. */
interface Answer {
  status: number;
  warnings?: readonly string[];
  /** Seconds after which it is worth trying again. */
  retryAfter?: number | undefined;
}

/** An answer of one piece. */
interface PayloadResponse extends Answer {
  payload: Payload;
  contentType?: string;
}

/** An answer that is plain text. */
interface TextResponse extends Answer {
  text: string;
  /** Plain text unless given. */
  contentType?: string;
}

/** A watch: one payload after the other until the caller or the server ends it. */
interface WatchResponse extends Answer {
  events: AsyncIterable<Payload>;
  /** How the caller wants them. */
  encoding?: Encoding;
  contentType?: string;
}

/** Bytes passed through from elsewhere, such as a container's log. */
interface ByteStreamResponse extends Answer {
  bytes: AsyncIterable<Uint8Array>;
  contentType: string;
}

/** A connection to elsewhere that the caller may take over, in the protocol the headers name. */
interface ConnectionResponse extends ByteStreamResponse {
  status: 101;
  bytes: Duplex;
  headers: Readonly<Record<string, string>>;
}

/** What the core answers. */
export type ServerResponse = PayloadResponse | TextResponse | WatchResponse | ByteStreamResponse | ConnectionResponse;

/** Answers every request, faults included; never throws. */
export type Handle = (request: ServerRequest) => Promise<ServerResponse>;
