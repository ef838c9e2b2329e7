// SPDX-License-Identifier: Apache-2.0
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';

/** Maximum number of unanswered requests on a connection; clients of Kubernetes send the next one after the response. */
const maxUnanswered = 100;

/**
 * Handles the requests of a connection one after the other, as Go does, and serves other connections in between: a client
 * can send thousands in one packet. A connection with too many unanswered requests is closed.
 */
export class RequestsInOrder {
  readonly #unanswered = new WeakMap<Socket, Promise<void>[]>();

  /** Resolves when the earlier requests of the connection are answered; undefined when there are none. */
  take({ socket }: IncomingMessage, response: ServerResponse): Promise<void> | undefined {
    const unanswered = this.#unanswered.get(socket) ?? [];
    this.#unanswered.set(socket, unanswered);
    const { promise: answered, resolve } = Promise.withResolvers<void>();
    const earlier = unanswered.at(-1);
    unanswered.push(answered);
    response.once('close', () => {
      void unanswered.shift();
      resolve();
    });
    if (unanswered.length > maxUnanswered) socket.destroy();
    return earlier?.then(() => nextTurn());
  }
}
