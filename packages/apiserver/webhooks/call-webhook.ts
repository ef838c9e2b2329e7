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

/** One HTTP request of a webhook call. */
export interface WebhookCall extends Hop, ConnectionTarget {
  /** PEM of trusted CAs; the system's unless given. */
  readonly ca: string | undefined;
  readonly signal: AbortSignal;
}

/** The HTTP response of a webhook. */
export interface WebhookResponse {
  readonly status: number;
  readonly contentType: string;
  /** Location header of a redirect. */
  readonly location?: string | undefined;
  readonly body: string;
}

/** Calls a webhook; throws with kube-apiserver's message when it cannot be reached. */
export type CallWebhook = (call: WebhookCall) => Promise<WebhookResponse>;

/** Opens a connection. */
export type Dial = (address: Address) => Duplex | Promise<Duplex>;

/** Calls webhooks over HTTPS; `dial` opens connections to addresses that the host's network cannot reach. */
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
      // The server may close a kept-alive connection just as it is reused.
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
    // Go trusts any certificate in the bundle, even one that is not a CA.
    ...(ca !== undefined && { ca, allowPartialTrustChain: true }),
  });
  return outgoing.end(body);
}

/** Pools TLS connections. */
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

/** Pools plain connections, which a webhook may redirect to. */
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
