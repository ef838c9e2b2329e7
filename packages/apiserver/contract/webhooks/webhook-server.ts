// SPDX-License-Identifier: Apache-2.0
import { EventEmitter, once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { createSecureContext } from 'node:tls';
import { certificateAuthority } from '@forge/pki/certificate-authority.ts';
import { issueServerCertificate } from '@forge/pki/issue-certificate.ts';
import { answers, type Review, type Say } from './answers.ts';

/** Plays the webhooks of all rows, for real and embedded servers alike. A path is `/<whose row>/<what to answer>`. */
export interface WebhookServer {
  readonly port: number;
  /** The authority of its certificate, as webhook configurations have it. */
  readonly caBundle: string;
  /** What it was asked under this name since the last time, with the paths. */
  taken(owner: string): { path: string; review: Review }[];
  /** Resolves when the webhook that never answers is asked next. */
  asksSlow(): Promise<unknown>;
  close(): Promise<void>;
}

/** Starts the webhooks on a free port; under a Service's name they have a certificate for that name. */
async function startWebhookServer(): Promise<WebhookServer> {
  const validity = { now: Date.now(), validDays: 1 };
  const authority = certificateAuthority({ name: 'webhooks', ...validity });
  const certified = (names: string[]) =>
    issueServerCertificate(authority, { names, addresses: ['127.0.0.1'], ...validity });
  const slow = new EventEmitter();
  const asked = new Map<string, { path: string; review: Review }[]>();

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const review = JSON.parse(
      Buffer.concat(await Array.fromAsync(request as AsyncIterable<Buffer>)).toString(),
    ) as Review;
    const { pathname: path } = new URL(request.url ?? '', 'https://webhook');
    const [, owner = '', answer = ''] = path.split('/');
    asked.set(owner, [...(asked.get(owner) ?? []), { path: request.url ?? '', review }]);
    if (answer === 'slow') return void slow.emit('asked');
    const said = (answers as Record<string, Say>)[answer]?.(review) ?? { status: 404, text: '' };
    const {
      apiVersion,
      kind,
      request: { uid },
    } = review;
    const {
      status = 200,
      contentType = 'application/json',
      text,
    } = 'text' in said ? said : { text: JSON.stringify({ apiVersion, kind, response: { uid, ...said.response } }) };
    response.writeHead(status, { 'content-type': contentType }).end(text);
  }

  const server = createServer(
    {
      ...certified([]),
      SNICallback: (name, done) => {
        const { cert, key } = certified(name.endsWith('.svc') ? [name] : ['example.com', 'example.org']);
        done(null, createSecureContext({ cert, key }));
      },
    },
    (request, response) => void respond(request, response),
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    caBundle: Buffer.from(authority.cert).toString('base64'),
    taken(owner) {
      const taken = asked.get(owner) ?? [];
      asked.delete(owner);
      return taken;
    },
    asksSlow: () => once(slow, 'asked'),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** A webhook server that starts when it is first asked for. */
export function webhooksOnDemand() {
  let started: Promise<WebhookServer> | undefined;
  return {
    webhooks: () => (started ??= startWebhookServer()),
    closeWebhooks: async () => (await started)?.close(),
  };
}
