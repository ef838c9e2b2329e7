// SPDX-License-Identifier: Apache-2.0
import { once } from 'node:events';
import type { ClientRequest, IncomingMessage } from 'node:http';
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
  /** PEM of trusted CAs. Default: those of the system. */
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
type Dial = (address: Address) => Duplex | Promise<Duplex>;

/**
 * How webhooks are reached: those behind a Service through the cluster network, those with a URL through the host's.
 */
export type WebhookNetworks = Readonly<Record<ConnectionTarget['network'], Dial>>;

const hostNetwork: WebhookNetworks = { service: (address) => connect(address), url: (address) => connect(address) };

/** The same limit as for request bodies of this server. */
const maxResponseBytes = 3 * 1024 * 1024;

/** Calls webhooks over HTTPS. */
export function httpsWebhookCaller(networks: WebhookNetworks = hostNetwork): CallWebhook {
  const agents = { service: new SecureAgent(networks.service), url: new SecureAgent(networks.url) };
  return async function call(webhookCall): Promise<WebhookResponse> {
    const outgoing = send(webhookCall, agents);
    try {
      const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage];
      const body = await readBody(incoming);
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

/** The body; reading stops when it exceeds the limit. */
async function readBody(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    size += chunk.length;
    const announced = Number(incoming.headers['content-length'] ?? 0);
    if (Math.max(size, announced) > maxResponseBytes) {
      throw new Error(`response is too large: limit is ${maxResponseBytes} bytes`);
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

function send(
  { method, authority, address, network, serverName, ca, path, body, referer, signal }: WebhookCall,
  agents: Readonly<Record<ConnectionTarget['network'], SecureAgent>>,
): ClientRequest {
  const outgoing = request({
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
    agent: agents[network],
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

function addressIn({ host, port }: RequestOptions): Address {
  return { host: host ?? '', port: Number(port) };
}
