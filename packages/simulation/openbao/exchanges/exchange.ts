// SPDX-License-Identifier: Apache-2.0
import type { JsonObject } from '@forge/kube/objects/json.ts';

/** What a script remembers: tokens, JWTs and bodies, by name. */
export type Memory = Map<string, string | Uint8Array>;

/** An answer, with its body as JSON or, when it is none, as bytes. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** One request and the answer that is compared. */
export interface Exchange {
  /** What it shows, unique in its script. */
  readonly shows: string;
  /** The name of the server. */
  readonly on: string;
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE';
  /** The path after `/v1/`. */
  readonly path: string;
  /** The name of the remembered token that it carries. Default: none. */
  readonly token?: string;
  readonly body?: JsonObject | ((memory: Memory) => JsonObject | Uint8Array);
  /** Keeps a part of the answer under these names. */
  readonly remember?: Readonly<Record<string, (body: unknown) => string | Uint8Array>>;
  /** The request is repeated until this holds, or half a minute has passed; only the last answer is compared. */
  readonly until?: (answer: Answer) => boolean;
}

/** What happens to a server; `sealKey` and `version` apply to this start and the following ones. */
export interface Deed {
  readonly does: 'start' | 'stop' | 'kill' | 'wipe';
  readonly on: string;
  readonly sealKey?: string;
}

/** Exchanges and deeds in order. */
export type Script = readonly (Exchange | Deed)[];

/** How a server starts: whom it asks to join, and in which role. */
export interface ServerOptions {
  /** The names of the servers to join; it is initialised by a call otherwise. */
  readonly retryJoin: readonly string[];
  readonly nonVoter: boolean;
}

/** A script with the servers it needs; none runs at its begin. */
export interface Suite {
  readonly servers: Readonly<Record<string, ServerOptions>>;
  readonly script: Script;
}
