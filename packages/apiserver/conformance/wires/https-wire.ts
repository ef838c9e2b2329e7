// SPDX-License-Identifier: Apache-2.0
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { Agent, request as httpsRequest } from 'node:https';
import { setTimeout } from 'node:timers/promises';
import type { BackendServer } from '../servers/backend-server.ts';
import type { WebhookServer } from '../servers/webhook-server.ts';
import type { Wire, WireAnswer, WireRequest } from './wire.ts';

/** Address and credentials of a real API server. */
export interface HttpsWireOptions {
  port: number;
  /** PEM of the server's CA. */
  ca: string;
  token: string;
  webhooks: () => Promise<WebhookServer>;
  backend: () => Promise<BackendServer>;
}

const timeout = 90_000;
/** Longer than the caches of a busy server lag behind. */
const cachesBehind = 300;

/** A wire to an API server on this host. */
export function httpsWire({ port, ca, token, webhooks, backend }: HttpsWireOptions): Wire {
  const agent = new Agent({ keepAlive: true, ca });

  async function send(wanted: WireRequest): Promise<WireAnswer> {
    const { method, path, query, headers, body, signal } = wanted;
    const search = new URLSearchParams(query).toString();
    const request = httpsRequest({
      agent,
      host: '127.0.0.1',
      port,
      method,
      path: search === '' ? path : `${path}?${search}`,
      headers: {
        authorization: `Bearer ${token}`,
        ...headers,
        // Node sends the body of a DELETE only with a content-length.
        ...(body !== undefined && { 'content-length': Buffer.byteLength(body) }),
      },
      ...(signal !== undefined && { signal }),
    });
    request.end(body);
    try {
      const [response] = (await once(request, 'response')) as [IncomingMessage];
      return {
        status: response.statusCode ?? 0,
        contentType: response.headers['content-type'] ?? '',
        location: response.headers.location,
        warnings: warningsOf(response.headers['warning']),
        body: response,
      };
    } catch (error) {
      // The server may close a kept-alive connection just as it is reused.
      if (request.reusedSocket && (error as NodeJS.ErrnoException).code === 'ECONNRESET') return send(wanted);
      throw error;
    }
  }

  return {
    send,

    async until(condition) {
      const deadline = Date.now() + timeout;
      while (!(await condition())) {
        if (Date.now() > deadline)
          throw new Error(`condition not met after ${timeout / 1000} s: ${condition.toString()}`);
        await setTimeout(20);
      }
    },

    catchUp: () => setTimeout(cachesBehind),

    now: () => Date.now(),
    webhooks,
    backend,
  };
}

function warningsOf(header = ''): string[] {
  return [...header.matchAll(/299 \S+ "((?:\\.|[^"\\])*)"/g)].map(([, text = '']) => text.replaceAll(/\\(.)/g, '$1'));
}
