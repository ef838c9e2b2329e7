// SPDX-License-Identifier: Apache-2.0
import type { Duplex } from 'node:stream';
import type { Encoding } from './negotiate.ts';
import type { Payload } from './payload.ts';

/** An authenticated user. */
export interface User {
  name: string;
  groups: readonly string[];
  uid?: string;
  /** Extra attributes from the authenticator. */
  extra?: Readonly<Record<string, readonly string[]>>;
}

/** A request, independent of the transport. */
export interface ServerRequest {
  method: string;
  path: string;
  query: Readonly<Record<string, string>>;
  /** The raw query string: parameters such as `command` repeat. */
  search?: string | undefined;
  /** Lower-case names. */
  headers: Readonly<Record<string, string>>;
  /** Bytes from the wire, or the JSON value of an in-process caller. */
  body?: unknown;
  /** Reads the body on demand: it is called only after authorization. */
  readBody?: (() => Promise<Uint8Array>) | undefined;
  /** Set when the transport has authenticated the caller. */
  user?: User | undefined;
  /** The client's IP address. */
  remoteAddress?: string | undefined;
  signal?: AbortSignal | undefined;
}

/** Fields common to all responses. */
interface Answer {
  status: number;
  warnings?: readonly string[];
  /** Seconds, for the Retry-After header. */
  retryAfter?: number | undefined;
}

/** A response with a body. */
interface PayloadResponse extends Answer {
  payload: Payload;
  contentType?: string;
}

/** A plain-text response. */
interface TextResponse extends Answer {
  text: string;
  /** Default: text/plain. */
  contentType?: string;
}

/** A watch: a stream of events until the client or the server ends it. */
interface WatchResponse extends Answer {
  events: AsyncIterable<Payload>;
  /** Encoding of the events. */
  encoding?: Encoding;
  contentType?: string;
}

/** Bytes proxied from elsewhere, such as a container's log. */
interface ByteStreamResponse extends Answer {
  bytes: AsyncIterable<Uint8Array>;
  contentType: string;
  /** Of a proxied response, its content type included. */
  backendHeaders?: Readonly<Record<string, string | string[]>>;
}

/** An upgraded connection, proxied in the protocol that the headers name. */
interface ConnectionResponse extends ByteStreamResponse {
  status: 101;
  bytes: Duplex;
  headers: Readonly<Record<string, string>>;
}

/** Any response. */
export type ServerResponse = PayloadResponse | TextResponse | WatchResponse | ByteStreamResponse | ConnectionResponse;

/** Handles every request; never throws. */
export type Handle = (request: ServerRequest) => Promise<ServerResponse>;
