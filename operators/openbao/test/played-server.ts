// SPDX-License-Identifier: Apache-2.0
import type { IncomingMessage } from 'node:http';
import { certificateAuthority } from '@forge/pki/certificate-authority.ts';
import { issueServerCertificate } from '@forge/pki/issue-certificate.ts';
import { httpServer } from '@forge/testing/programs/loopback-server.ts';
import type { OpenBaoServer } from '../clients/openbao-call.ts';

/** What a server answers: a status and a JSON value or text; undefined is never. */
export type Answer = readonly [status: number, body?: unknown] | undefined;

/** A body that breaks off after its first bytes. */
export const brokenOff = Symbol('broken off');

/** A request that was received. */
interface Received {
  readonly asked: string;
  readonly token: string | undefined;
  /** The header by which a proxy tells requests of a client from others. */
  readonly marked: boolean;
  readonly body: unknown;
}

/** A TLS server on loopback that plays the exchanges of OpenBao. */
export interface PlayedServer extends AsyncDisposable {
  readonly server: Required<OpenBaoServer>;
  readonly received: readonly Received[];
}

/** The name in its certificate, which is not its address. */
const serverName = 'openbao-cluster-demo.local';

/** Starts it; `answers` are by method and path, below /v1. */
export async function playedServer(answers: Readonly<Record<string, Answer>>): Promise<PlayedServer> {
  const validity = { now: Date.now(), validDays: 1 };
  const authority = certificateAuthority({ ...validity, name: 'demo' });
  const certificate = issueServerCertificate(authority, { ...validity, names: [serverName], addresses: [] });
  const received: Received[] = [];
  const listening = await httpServer(async (request, response) => {
    const asked = `${request.method} ${request.url?.replace('/v1/', '')}`;
    const text = await textOf(request);
    const token = request.headers['x-vault-token'];
    received.push({
      asked,
      token: typeof token === 'string' ? token : undefined,
      marked: request.headers['x-vault-request'] === 'true',
      body: text === '' ? undefined : JSON.parse(text),
    });
    const answer = answers[asked];
    if (answer === undefined) return;
    const [status, body] = answer;
    response.writeHead(status, { location: 'https://192.0.2.1:8200/v1/elsewhere' });
    if (body === brokenOff) {
      response.write('bytes', () => response.destroy());
      return;
    }
    response.end(typeof body === 'string' ? body : body === undefined ? '' : JSON.stringify(body));
  }, certificate);
  return {
    server: { url: listening.url, ca: authority.cert, serverName },
    received,
    [Symbol.asyncDispose]: () => listening[Symbol.asyncDispose](),
  };
}

async function textOf(request: IncomingMessage): Promise<string> {
  return Buffer.concat(await Array.fromAsync(request as AsyncIterable<Buffer>)).toString();
}
