// SPDX-License-Identifier: Apache-2.0
import type { BackendServer } from '../servers/backend-server.ts';
import type { WebhookServer } from '../servers/webhook-server.ts';

/** A request in bytes. */
export interface WireRequest {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'HEAD' | 'OPTIONS';
  path: string;
  query: Readonly<Record<string, string>>;
  /** Lower-case names. */
  headers: Readonly<Record<string, string>>;
  body?: string | Uint8Array;
  signal?: AbortSignal;
}

/** A response in bytes. */
export interface WireAnswer {
  status: number;
  contentType: string;
  /** The Location header of a redirect. */
  location?: string | undefined;
  /** Warning headers. */
  warnings: readonly string[];
  body: AsyncIterable<Uint8Array>;
}

/** Access to an API server, real or embedded, at the level of bytes. */
export interface Wire {
  send(request: WireRequest): Promise<WireAnswer>;
  /** Waits until the condition holds; rejects after a timeout. */
  until(condition: () => boolean | Promise<boolean>): Promise<void>;
  /** Waits until the server's caches have caught up. */
  catchUp(): Promise<void>;
  /** The server's time in milliseconds since the epoch. */
  now(): number;
  /** The webhook server. */
  webhooks(): Promise<WebhookServer>;
  /** The server behind Services. */
  backend(): Promise<BackendServer>;
}
