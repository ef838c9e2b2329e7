// SPDX-License-Identifier: Apache-2.0
import type { WebhookServer } from '../webhooks/webhook-server.ts';

/** A request as it goes over the wire. */
export interface WireRequest {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  path: string;
  query: Readonly<Record<string, string>>;
  /** Names in lower case. */
  headers: Readonly<Record<string, string>>;
  body?: string | Uint8Array;
  signal?: AbortSignal;
}

/** An answer as it comes over the wire. */
export interface WireAnswer {
  status: number;
  contentType: string;
  /** Texts of Warning headers. */
  warnings: readonly string[];
  body: AsyncIterable<Uint8Array>;
}

/** A way to an API server, real or embedded, that hides neither bytes nor time. */
export interface Wire {
  send(request: WireRequest): Promise<WireAnswer>;
  /** Lets time pass until the condition holds; rejects when it does not in good time. */
  until(condition: () => boolean | Promise<boolean>): Promise<void>;
  /** Gives the server's caches of its own objects time to catch up. */
  catchUp(): Promise<void>;
  /** Milliseconds since the epoch, as the server sees it. */
  now(): number;
  /** Webhooks that the API server can reach. */
  webhooks(): Promise<WebhookServer>;
}
