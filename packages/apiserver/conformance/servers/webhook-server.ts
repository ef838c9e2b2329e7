// SPDX-License-Identifier: Apache-2.0
import { EventEmitter, once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { createSecureContext } from 'node:tls';
import { certificateAuthority } from '@forge/pki/certificate-authority.ts';
import { certificate, distinguishedName, extension, type KeyPair, type Making } from '@forge/pki/certificate.ts';
import { element, sequence } from '@forge/pki/der.ts';
import { issueServerCertificate } from '@forge/pki/issue-certificate.ts';
import { answers, type Review, type Respond } from './answers.ts';

/**
 * Serves the webhooks of all cases, for real and embedded servers. A path is `/<case>/<answer>`;
 * `/<case>/redirect/<status>/<rest>` redirects to `/<case>/<rest>`.
 */
export interface WebhookServer {
  readonly port: number;
  /** Its CA, as a caBundle. */
  readonly caBundle: string;
  /** Its certificate for its IP address, as a caBundle. */
  readonly servingBundle: string;
  /** Its self-signed, non-CA certificate for server names `self-signed…`, as a caBundle. */
  selfSignedBundle(serverName: string): string;
  /** The requests of a case since the last call, with their paths. */
  taken(owner: string): ReceivedRequest[];
  /** Resolves at the next call of the webhook that never responds. */
  slowCalled(): Promise<unknown>;
  close(): Promise<void>;
}

/** A received request: path, method unless POST, and the review if any. */
interface ReceivedRequest {
  path: string;
  review: Review | undefined;
}

/** Starts the webhook server on a free port; for Service names it uses a certificate for that name. */
async function startWebhookServer(): Promise<WebhookServer> {
  const validity = { now: Date.now(), validDays: 1 };
  const authority = certificateAuthority({ name: 'webhooks', ...validity });
  const certified = (names: string[]) =>
    issueServerCertificate(authority, { names, addresses: ['127.0.0.1'], ...validity });
  const slow = new EventEmitter();
  const received = new Map<string, ReceivedRequest[]>();
  const selfSigned = new Map<string, KeyPair>();

  function selfSignedFor(serverName: string): KeyPair {
    const name = serverName.replace(/^self-signed[^.]*/, 'self-signed');
    const known = selfSigned.get(name) ?? selfSignedCertificate(name, validity);
    selfSigned.set(name, known);
    return known;
  }

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const text = Buffer.concat(await Array.fromAsync(request as AsyncIterable<Buffer>)).toString();
    const sent = text === '' ? undefined : (JSON.parse(text) as Review);
    const { pathname: path } = new URL(request.url ?? '', 'https://webhook');
    const [, owner = '', answer = '', ...rest] = path.split('/');
    received.set(owner, [
      ...(received.get(owner) ?? []),
      { path: `${request.method === 'POST' ? '' : `${request.method} `}${request.url}`, review: sent },
    ]);
    if (answer === 'redirect') return redirect(response, owner, rest);
    const review = sent ?? unsent;
    if (answer === 'slow') return void slow.emit('asked');
    const result = (answers as Record<string, Respond>)[answer]?.(review) ?? { status: 404, text: '' };
    const {
      apiVersion,
      kind,
      request: { uid },
    } = review;
    const {
      status = 200,
      contentType = 'application/json',
      text: answered,
    } = 'text' in result
      ? result
      : { text: JSON.stringify({ apiVersion, kind, response: { uid, ...result.response } }) };
    response.writeHead(status, { 'content-type': contentType }).end(answered);
  }

  const serving = certified([]);
  const server = createServer(
    {
      ...serving,
      SNICallback: (name, done) => {
        const { cert, key } = name.startsWith('self-signed')
          ? selfSignedFor(name)
          : certified(name.endsWith('.svc') ? [name] : ['example.com', 'example.org']);
        done(null, createSecureContext({ cert, key }));
      },
    },
    (request, response) => void respond(request, response),
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    caBundle: bundle(authority),
    servingBundle: bundle(serving),
    selfSignedBundle: (name) => bundle(selfSignedFor(name)),
    taken(owner) {
      const taken = received.get(owner) ?? [];
      received.delete(owner);
      return taken;
    },
    slowCalled: () => once(slow, 'asked'),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** The review when none was sent. */
const unsent: Review = {
  apiVersion: 'admission.k8s.io/v1',
  kind: 'AdmissionReview',
  request: { uid: '', object: null },
};

/** Redirects: to another path, in a loop, to another name of this host, or without a location. */
function redirect(response: ServerResponse, owner: string, [status = '', ...rest]: readonly string[]): void {
  const port = response.socket?.localPort;
  const [first = '', ...others] = rest;
  const locations: Readonly<Record<string, string>> = {
    '': '',
    'without-end': `/${owner}/redirect/${status}/without-end`,
    localhost: `https://localhost:${port}/${owner}/${others.join('/')}`,
    relative: `../${others.join('/')}?from=relative`,
    unencrypted: 'http://127.0.0.1:1/x',
  };
  const location = locations[first] ?? `/${owner}/${rest.join('/')}`;
  response.writeHead(Number(status), location === '' ? {} : { location }).end();
}

/** A self-signed certificate that is not a CA. */
function selfSignedCertificate(name: string, making: Making): KeyPair {
  const names = sequence(element(0x82, Buffer.from(name)));
  return certificate({ making, subject: distinguishedName(name), extensions: [extension('2.5.29.17', names)] });
}

function bundle({ cert }: KeyPair): string {
  return Buffer.from(cert).toString('base64');
}

/** A webhook server that starts on first use. */
export function lazyWebhookServer() {
  let started: Promise<WebhookServer> | undefined;
  return {
    webhooks: () => (started ??= startWebhookServer()),
    closeWebhooks: async () => (await started)?.close(),
  };
}
