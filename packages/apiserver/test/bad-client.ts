// SPDX-License-Identifier: Apache-2.0
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { Agent, request } from 'node:https';
import type { BadRequest } from './bad-requests.ts';
import type { ServedServer } from './served-server.ts';

/** Sends bad requests to a server. */
export interface BadClient {
  port: number;
  /** The response. */
  send(bad: BadRequest): Promise<{ status: number; body: string }>;
  close(): void;
}

/** A client that sends bad requests as administrator. */
export async function badClient({ kubeconfig }: ServedServer): Promise<BadClient> {
  const { clusters, users } = JSON.parse(await readFile(kubeconfig, 'utf8')) as {
    clusters: [{ cluster: Record<string, string> }];
    users: [{ user: Record<string, string> }];
  };
  const { server = '', 'certificate-authority-data': ca } = clusters[0].cluster;
  const { 'client-certificate-data': cert, 'client-key-data': key } = users[0].user;
  const agent = new Agent({ keepAlive: true, maxSockets: 8, ca: pem(ca), cert: pem(cert), key: pem(key) });
  return {
    port: Number(new URL(server).port),
    async send({ method, path, type, body }) {
      const headers = { 'content-type': type, 'content-length': Buffer.byteLength(body) };
      const sent = request(`${server}${path}`, { method, headers, agent });
      sent.end(body);
      const [response] = (await once(sent, 'response')) as [IncomingMessage];
      const chunks = (await response.toArray()) as Buffer[];
      return { status: response.statusCode ?? 0, body: Buffer.concat(chunks).toString() };
    },
    close: () => agent.destroy(),
  };
}

function pem(encoded = ''): string {
  return Buffer.from(encoded, 'base64').toString();
}
