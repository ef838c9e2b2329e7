// SPDX-License-Identifier: Apache-2.0
import { generateKeyPairSync } from 'node:crypto';
import { seededRandom } from '@forge/runtime/testing/seeded-random.ts';
import { virtualClock } from '@forge/runtime/testing/virtual-clock.ts';
import { apiServer } from '../../api-server.ts';
import type { ServerResponse } from '../../request/server-request.ts';
import { httpsWebhookCaller } from '../../webhooks/call-webhook.ts';
import { lazyWebhookServer } from '../webhooks/webhook-server.ts';
import type { Wire } from './wire.ts';

/** A wire to a separate embedded API server, in memory and on a virtual clock. */
export interface EmbeddedWire extends Wire {
  close(): Promise<void>;
}

/** The default user of rows. */
const administrator = { name: 'kubernetes-admin', uid: 'kubernetes-admin', groups: ['system:masters'] };
const token = 'contract';
const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const signingKey = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();

/** Starts an embedded API server. */
export async function embeddedWire(): Promise<EmbeddedWire> {
  const clock = virtualClock();
  const { webhooks, closeWebhooks } = lazyWebhookServer();
  const callHttps = httpsWebhookCaller();
  /** Advances the clock while the server waits for a webhook that never answers. */
  const passTime = async (signal: AbortSignal): Promise<void> => {
    await (await webhooks()).asksSlow();
    await clock.until(() => signal.aborted);
  };
  const server = await apiServer({
    clock,
    random: seededRandom(),
    callWebhook(call) {
      if (call.path.includes('/slow')) void passTime(call.signal);
      return callHttps(call);
    },
    tokens: { [token]: administrator },
    serviceAccounts: { signingKey },
  });
  return {
    async send({ body, ...request }) {
      const response = await server.handle({
        ...request,
        headers: { authorization: `Bearer ${token}`, ...request.headers },
        ...(body !== undefined && { body: Buffer.from(body) }),
      });
      return {
        status: response.status,
        contentType: contentTypeOf(response),
        warnings: response.warnings ?? [],
        body: bytesOf(response),
      };
    },
    until: (condition) => clock.until(condition),
    catchUp: () => clock.settle(),
    now: () => clock.now(),
    webhooks,
    async close() {
      await server.close();
      await closeWebhooks();
    },
  };
}

function contentTypeOf(response: ServerResponse): string {
  if ('text' in response) return response.contentType ?? 'text/plain; charset=utf-8';
  return response.contentType ?? 'application/json';
}

async function* bytesOf(response: ServerResponse): AsyncGenerator<Uint8Array> {
  if ('text' in response) yield Buffer.from(response.text);
  else if ('payload' in response) yield response.payload.bytes;
  else if ('bytes' in response) yield* response.bytes;
  else for await (const { bytes } of response.events) yield bytes;
}
