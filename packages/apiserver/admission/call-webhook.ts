// SPDX-License-Identifier: Apache-2.0
import { once } from 'node:events';
import type { ClientRequest, IncomingMessage } from 'node:http';
import { Agent, request, type RequestOptions } from 'node:https';
import { connect, isIP } from 'node:net';
import type { Duplex } from 'node:stream';
import { connect as secure, type ConnectionOptions } from 'node:tls';
import { callbackify } from 'node:util';
import { explainFailure } from './explain-failure.ts';
import type { Address } from './webhook-address.ts';

/** A call of a webhook. */
export interface WebhookCall {
  readonly address: Address;
  /** Whom the certificate must name. */
  readonly serverName: string;
  /** PEM: whose certificates are believed; those the system knows when there is none. */
  readonly ca: string | undefined;
  readonly path: string;
  readonly body: string;
  readonly signal: AbortSignal;
}

/** What came back. */
export interface WebhookAnswer {
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
}

/** Calls a webhook; throws an error that says in a real server's words why it cannot be reached. */
export type CallWebhook = (call: WebhookCall) => Promise<WebhookAnswer>;

/** Opens a connection. */
export type Dial = (address: Address) => Duplex | Promise<Duplex>;

/** Calls webhooks over HTTPS; `dial` opens connections where the machine's own network does not lead to them. */
export function httpsWebhookCaller(dial: Dial = (address) => connect(address)): CallWebhook {
  const agent = new DialingAgent(dial);
  return async function call(webhookCall): Promise<WebhookAnswer> {
    const outgoing = send(webhookCall, agent);
    try {
      const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage];
      const body = Buffer.concat(await Array.fromAsync(incoming as AsyncIterable<Buffer>)).toString();
      return { status: incoming.statusCode ?? 0, contentType: incoming.headers['content-type'] ?? '', body };
    } catch (error) {
      // The other end may give a connection up just as it is used again.
      const { code } = error as NodeJS.ErrnoException;
      if (outgoing.reusedSocket && code === 'ECONNRESET') return call(webhookCall);
      throw new Error(explainFailure(error as Error, webhookCall), { cause: error });
    }
  };
}

function send({ address, serverName, ca, path, body, signal }: WebhookCall, agent: Agent): ClientRequest {
  const outgoing = request({
    agent,
    ...address,
    ...(isIP(serverName) === 0 && { servername: serverName }),
    ...(ca !== undefined && { ca }),
    method: 'POST',
    path,
    headers: {
      accept: 'application/json, */*',
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      'user-agent': 'kube-apiserver-admission',
    },
    signal,
  });
  return outgoing.end(body);
}

/** Keeps connections that it has had opened. */
class DialingAgent extends Agent {
  readonly #dial: Dial;

  constructor(dial: Dial) {
    super({ keepAlive: true });
    this.#dial = dial;
  }

  override createConnection(
    options: RequestOptions,
    done: (error: Error | null, socket: Duplex) => void = () => {},
  ): undefined {
    callbackify(() => this.#open(options))(done);
  }

  async #open(options: RequestOptions): Promise<Duplex> {
    const socket = await this.#dial({ host: options.host ?? '', port: Number(options.port) });
    return secure({ ...(options as ConnectionOptions), socket });
  }
}
