// SPDX-License-Identifier: Apache-2.0
import { generateKeyPairSync } from 'node:crypto';
import { seededRandom } from '@forge/runtime/environment/seeded-random.ts';
import { virtualClock } from '@forge/runtime/environment/virtual-clock.ts';
import { apiServer, type ApiServer } from '../../api-server.ts';
import { networkConnector } from '../../kubelet/node-connector.ts';
import type { ServerResponse } from '../../messages/server-request.ts';
import { httpsWebhookCaller } from '../../webhooks/calls/call-webhook.ts';
import { backendAddress, lazyBackendServer } from '../servers/backend-server.ts';
import { lazyWebhookServer } from '../servers/webhook-server.ts';
import type { Wire } from './wire.ts';

/** A wire to a separate embedded API server, in memory and on a virtual clock. */
export interface EmbeddedWire extends Wire {
  /** The server at its other end. */
  readonly server: ApiServer;
  close(): Promise<void>;
}

/** The default user of cases. */
const administrator = { name: 'kubernetes-admin', uid: 'kubernetes-admin', groups: ['system:masters'] };
const token = 'contract';
const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const signingKey = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();

/** Starts an embedded API server. */
export async function embeddedWire(clock = virtualClock()): Promise<EmbeddedWire> {
  const { webhooks, closeWebhooks } = lazyWebhookServer();
  const { backend, closeBackend } = lazyBackendServer('loopback');
  const callHttps = httpsWebhookCaller();
  /** Advances the clock while the server waits for a webhook that never responds. */
  const passTime = async (signal: AbortSignal): Promise<void> => {
    await (await webhooks()).slowCalled();
    await clock.until(() => signal.aborted);
  };
  const server = await apiServer({
    clock,
    random: seededRandom(),
    callWebhook(call) {
      if (call.path.includes('/slow')) void passTime(call.signal);
      return callHttps(call);
    },
    nodes: {
      ...networkConnector,
      async connect({ host, port }) {
        if (host !== backendAddress.host) return networkConnector.connect({ host, port });
        // Nothing listens on port 1.
        const listening = (await backend()).ports.get(port) ?? 1;
        return networkConnector.connect({ host: '127.0.0.1', port: listening });
      },
    },
    tokens: { [token]: administrator },
    serviceAccounts: { signingKey },
  });
  return {
    server,
    async send({ body, ...request }) {
      const response = await server.handle({
        ...request,
        headers: { authorization: `Bearer ${token}`, ...request.headers },
        remoteAddress: '127.0.0.1',
        ...(body !== undefined && { body: Buffer.from(body) }),
      });
      return {
        status: response.status,
        contentType: contentTypeOf(response),
        location: locationOf(response),
        warnings: response.warnings ?? [],
        body: request.method === 'HEAD' ? withoutBody() : bytesOf(response),
      };
    },
    until: (condition) => clock.until(condition),
    catchUp: () => clock.settle(),
    now: () => clock.now(),
    webhooks,
    backend,
    async close() {
      await server.close();
      await closeBackend();
      await closeWebhooks();
    },
  };
}

function locationOf(response: ServerResponse): string | undefined {
  const headers = 'bytes' in response ? response.backendHeaders : undefined;
  return headers?.['location'] as string | undefined;
}

async function* withoutBody(): AsyncGenerator<never> {}

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
