// SPDX-License-Identifier: Apache-2.0
import { once } from 'node:events';
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { createGzip } from 'node:zlib';
import { certificateAuthority } from '@forge/pki/certificate-authority.ts';
import { issueServerCertificate } from '@forge/pki/issue-certificate.ts';

/** A server that sends snapshots as OpenBao does, and one that takes them as S3 does and keeps nothing. */
export interface SnapshotServers extends AsyncDisposable {
  /** The address of the first, at OpenBao's port. */
  readonly host: string;
  /** The name in its certificate, and its authority. */
  readonly serverName: string;
  readonly ca: string;
  readonly endpoint: string;
  /** The size of the next snapshot. */
  megabytes: number;
}

const host = '127.82.0.1';
const apiPort = 8200;
const serverName = 'openbao.bench';
const block = 512;
const megabyte = 1024 * 1024;

/** Starts both. */
export async function snapshotServers(): Promise<SnapshotServers> {
  const validity = { now: Date.now(), validDays: 1 };
  const authority = certificateAuthority({ ...validity, name: 'bench' });
  const tls = issueServerCertificate(authority, { ...validity, names: [serverName], addresses: [] });
  const openbao = createHttpsServer(tls, (request, response) => {
    if (request.url?.endsWith('/snapshot') === true) void sendSnapshot(servers.megabytes, response);
    else response.end(JSON.stringify({ initialized: true, sealed: false, standby: false, version: '2.7.2' }));
  });
  const sizes = new Map<string, number>();
  const s3 = createHttpServer((request, response) => void store(request, response, sizes));
  openbao.listen(apiPort, host);
  s3.listen(0, '127.0.0.1');
  await Promise.all([once(openbao, 'listening'), once(s3, 'listening')]);
  const servers: SnapshotServers = {
    host,
    serverName,
    ca: authority.cert,
    endpoint: `http://127.0.0.1:${(s3.address() as AddressInfo).port}`,
    megabytes: 1,
    async [Symbol.asyncDispose]() {
      for (const server of [openbao, s3]) {
        server.closeAllConnections();
        server.close();
      }
      await Promise.all([once(openbao, 'close'), once(s3, 'close')]);
    },
  };
  return servers;
}

/** Of content that cannot be compressed, as that of a real one, which is encrypted. */
async function sendSnapshot(megabytes: number, response: ServerResponse): Promise<void> {
  const archive = createGzip({ level: 0 });
  archive.pipe(response);
  const write = async (bytes: Buffer) => {
    if (!archive.write(bytes)) await once(archive, 'drain');
  };
  const content = Buffer.from(Uint8Array.from({ length: megabyte }, (_, index) => index * 7919));
  await write(header('state.bin', megabytes * megabyte));
  for (let sent = 0; sent < megabytes; sent += 1) await write(content);
  await write(header('SHA256SUMS.sealed', block));
  await write(content.subarray(0, block));
  archive.end(Buffer.alloc(2 * block));
}

function header(name: string, size: number): Buffer {
  const made = Buffer.alloc(block);
  made.write(name, 0);
  made.write(`${size.toString(8).padStart(11, '0')}\0`, 124);
  made.write('0', 156);
  return made;
}

async function store(request: IncomingMessage, response: ServerResponse, sizes: Map<string, number>): Promise<void> {
  const { pathname, searchParams } = new URL(request.url ?? '', 'http://s3');
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) bytes += chunk.length;
  if (request.method === 'PUT') sizes.set(pathname, (sizes.get(pathname) ?? 0) + bytes);
  if (request.method === 'HEAD') response.setHeader('content-length', sizes.get(pathname) ?? 0);
  response.setHeader('etag', '"etag"');
  if (request.method !== 'POST') response.end();
  else if (searchParams.has('uploads')) {
    response.end('<InitiateMultipartUploadResult><UploadId>one</UploadId></InitiateMultipartUploadResult>');
  } else response.end('<CompleteMultipartUploadResult><ETag>etag</ETag></CompleteMultipartUploadResult>');
}
