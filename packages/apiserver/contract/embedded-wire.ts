// SPDX-License-Identifier: Apache-2.0
import { seededRandom } from '@forge/runtime/seeded-random.ts';
import { virtualClock } from '@forge/runtime/virtual-clock.ts';
import { apiServer } from '../api-server.ts';
import type { ServerResponse } from '../server-request.ts';
import type { Wire } from './wire.ts';

/** An embedded API server of its own, in memory and on a virtual clock, spoken to in bytes. */
export interface EmbeddedWire extends Wire {
  close(): Promise<void>;
}

/** Who speaks in a row that shows no token of its own. */
const administrator = { name: 'kubernetes-admin', groups: ['system:masters', 'system:authenticated'] };

/** Starts an embedded API server. */
export async function embeddedWire(): Promise<EmbeddedWire> {
  const clock = virtualClock();
  const server = await apiServer({ clock, random: seededRandom() });
  return {
    async send({ body, ...request }) {
      const response = await server.handle({
        ...request,
        user: request.headers['authorization'] === undefined ? administrator : undefined,
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
    now: () => clock.now(),
    close: () => server.close(),
  };
}

function contentTypeOf(response: ServerResponse): string {
  return 'text' in response ? 'text/plain; charset=utf-8' : (response.contentType ?? 'application/json');
}

async function* bytesOf(response: ServerResponse): AsyncGenerator<Uint8Array> {
  if ('text' in response) yield Buffer.from(response.text);
  else if ('payload' in response) yield response.payload.bytes;
  else if ('bytes' in response) yield* response.bytes;
  else for await (const { bytes } of response.events) yield bytes;
}
