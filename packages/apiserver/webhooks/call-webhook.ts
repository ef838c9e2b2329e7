// SPDX-License-Identifier: Apache-2.0
import { once } from 'node:events';
import { Agent as HttpAgent, request as requestPlain, type ClientRequest, type IncomingMessage } from 'node:http';
import { Agent, request, type RequestOptions } from 'node:https';
import { connect, isIP } from 'node:net';
import type { Duplex } from 'node:stream';
import { connect as secure, type ConnectionOptions } from 'node:tls';
import { callbackify } from 'node:util';
import { explainFailure } from './explain-failure.ts';
import type { Hop } from './follow-redirects.ts';
import type { Address, ConnectionTarget } from './webhook-address.ts';

/** One request of a call of a webhook. */
export interface WebhookCall extends Hop, ConnectionTarget {
  /** PEM: whose certificates are believed; those the system knows when there is none. */
  readonly ca: string | undefined;
  readonly signal: AbortSignal;
}

/** What came back. */
export interface WebhookResponse {
  readonly status: number;
  readonly contentType: string;
  /** Where a redirect points. */
  readonly location?: string | undefined;
  readonly body: string;
}

/** Calls a webhook; throws an error that says in a real server's words why it cannot be reached. */
export type CallWebhook = (call: WebhookCall) => Promise<WebhookResponse>;

/** Opens a connection. */
export type Dial = (address: Address) => Duplex | Promise<Duplex>;

/** Calls webhooks over HTTPS; `dial` opens connections where the machine's own network does not lead to them. */
export function httpsWebhookCaller(dial: Dial = (address) => connect(address)): CallWebhook {
  const agents = { https: new SecureAgent(dial), http: new PlainAgent(dial) };
  return async function call(webhookCall): Promise<WebhookResponse> {
    const outgoing = send(webhookCall, agents);
    try {
      const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage];
      const body = Buffer.concat(await Array.fromAsync(incoming as AsyncIterable<Buffer>)).toString();
      const { location, 'content-type': contentType = '' } = incoming.headers;
      return { status: incoming.statusCode ?? 0, contentType, location, body };
    } catch (error) {
      // The other end may give a connection up just as it is used again.
      const { code } = error as NodeJS.ErrnoException;
      if (outgoing.reusedSocket && code === 'ECONNRESET') return call(webhookCall);
      throw new Error(explainFailure(error as Error, webhookCall), { cause: error });
    }
  };
}

function send(
  { method, scheme, authority, address, serverName, ca, path, body, referer, signal }: WebhookCall,
  agents: { https: SecureAgent; http: PlainAgent },
): ClientRequest {
  const options: RequestOptions = {
    ...address,
    method,
    path,
    headers: {
      host: authority,
      accept: 'application/json, */*',
      'user-agent': 'kube-apiserver-admission',
      ...(body !== undefined && {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
      }),
      ...(referer !== undefined && { referer }),
    },
    signal,
  };
  if (scheme === 'http') return requestPlain({ ...options, agent: agents.http }).end(body);
  if (scheme !== 'https') throw new Error(`unsupported protocol scheme "${scheme}"`);
  const outgoing = request({
    ...options,
    agent: agents.https,
    ...(isIP(serverName) === 0 && { servername: serverName }),
    // Go believes any certificate of the bundle, also one that is no authority, such as the server's own.
    ...(ca !== undefined && { ca, allowPartialTrustChain: true }),
  });
  return outgoing.end(body);
}

/** Keeps encrypted connections that it has had opened. */
class SecureAgent extends Agent {
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
    const socket = await this.#dial(addressIn(options));
    return secure({ ...(options as ConnectionOptions), socket });
  }
}

/** Keeps connections without encryption, to which a webhook may redirect. */
class PlainAgent extends HttpAgent {
  readonly #dial: Dial;

  constructor(dial: Dial) {
    super({ keepAlive: true });
    this.#dial = dial;
  }

  override createConnection(
    options: RequestOptions,
    done: (error: Error | null, socket: Duplex) => void = () => {},
  ): undefined {
    callbackify(async () => this.#dial(addressIn(options)))(done);
  }
}

function addressIn({ host, port }: RequestOptions): Address {
  return { host: host ?? '', port: Number(port) };
}
