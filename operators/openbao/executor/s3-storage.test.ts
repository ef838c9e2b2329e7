// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { describe, test } from 'node:test';
import { certificateAuthority } from '@forge/pki/certificate-authority.ts';
import { issueServerCertificate } from '@forge/pki/issue-certificate.ts';
import { milliseconds } from '@forge/runtime/environment/duration.ts';
import { SecretValue } from '@forge/runtime/secrets/secret-value.ts';
import { httpServer, tcpServer } from '@forge/testing/programs/loopback-server.ts';
import type { StorageSettings } from './backup-settings.ts';
import { s3Storage } from './s3-storage.ts';

const megabyte = 1024 * 1024;
const { signal } = new AbortController();

const settingsFor = (endpoint: string): StorageSettings => ({
  endpoint,
  bucket: 'snapshots',
  region: 'us-east-1',
  usePathStyle: true,
  partSize: 5 * megabyte,
  concurrency: 2,
  credentials: { accessKeyId: 'AKIA', secretAccessKey: new SecretValue('storage-secret') },
  ca: undefined,
});

const xml = (code: string, message: string) => `<Error><Code>${code}</Code><Message>${message}</Message></Error>`;

/** Stores parts, and notes what was asked for; `answer` may answer otherwise. */
async function playedS3(answer: (request: string, response: ServerResponse) => boolean = () => false) {
  const requests: string[] = [];
  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    let bytes = 0;
    for await (const chunk of request as AsyncIterable<Buffer>) bytes += chunk.length;
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://s3');
    const [part, upload] = [searchParams.get('partNumber'), searchParams.get('uploadId')];
    const asked = `${request.method} ${pathname}${part === null ? '' : ` part ${part}`}${upload === null ? '' : ` of ${upload}`}`;
    requests.push(bytes > 1000 ? `${asked}: ${bytes}` : asked);
    assert.match(request.headers.authorization ?? '', /^AWS4-HMAC-SHA256 Credential=AKIA\//);
    if (answer(asked, response)) return;
    response.setHeader('etag', '"etag"');
    if (searchParams.has('uploads')) {
      response.end('<InitiateMultipartUploadResult><UploadId>one</UploadId></InitiateMultipartUploadResult>');
    } else if (request.method === 'POST') {
      response.end('<CompleteMultipartUploadResult><ETag>etag</ETag></CompleteMultipartUploadResult>');
    } else response.end();
  };
  return { requests, serve };
}

/** Refuses the second part. */
function refuse(request: string, response: ServerResponse): boolean {
  if (!request.includes('part 2')) return false;
  response.writeHead(403).end(xml('AccessDenied', 'Access Denied'));
  return true;
}

async function* content(megabytes: number, fails = false): AsyncGenerator<Uint8Array> {
  for (let piece = 0; piece < megabytes * 4; piece += 1) yield Buffer.alloc(megabyte / 4, piece);
  if (fails) throw new Error('the snapshot is not whole');
}

describe('the storage of S3', () => {
  test('sends parts, and joins them at the end', async () => {
    const { requests, serve } = await playedS3();
    await using server = await httpServer(serve);
    await s3Storage(settingsFor(server.url)).upload('a/b.snap', content(12));
    const path = '/snapshots/a/b.snap';
    assert.equal(requests[0], `POST ${path}`);
    assert.deepEqual(
      requests.slice(1, -1).toSorted(),
      [5, 5, 2].map((size, index) => `PUT ${path} part ${index + 1} of one: ${size * megabyte}`),
    );
    assert.equal(requests.at(-1), `POST ${path} of one`);
  });

  test('sends what is small at once', async () => {
    const { requests, serve } = await playedS3();
    await using server = await httpServer(serve);
    await s3Storage(settingsFor(server.url)).upload('small', content(1));
    assert.deepEqual(requests, [`PUT /snapshots/small: ${megabyte}`]);
  });

  test('drops all parts, and joins none, when the content fails at its end, or a part is refused', async () => {
    const cases = [
      [content(12, true), undefined, /the snapshot is not whole/],
      [
        content(12),
        refuse,
        /cannot store b in the bucket snapshots: http:\S+ answered 403: AccessDenied: Access Denied$/,
      ],
    ] as const;
    for (const [stream, answer, message] of cases) {
      const { requests, serve } = await playedS3(answer);
      await using server = await httpServer(serve);
      await assert.rejects(s3Storage(settingsFor(server.url)).upload('b', stream), { message });
      assert.ok(requests.includes('DELETE /snapshots/b of one'), requests.join());
      assert.ok(!requests.includes('POST /snapshots/b of one'), requests.join());
    }
  });

  test('sends nothing of what is small and fails', async () => {
    const { requests, serve } = await playedS3();
    await using server = await httpServer(serve);
    await assert.rejects(s3Storage(settingsFor(server.url)).upload('small', content(1, true)), /is not whole/);
    assert.deepEqual(requests, []);
  });

  test('ends within bounded time when the server accepts connections and says nothing', async () => {
    await using server = await tcpServer(() => {});
    const impatient = { connection: milliseconds(100), silence: milliseconds(100) };
    const storage = s3Storage(settingsFor(server.url), impatient);
    await assert.rejects(
      storage.sizeOf('a', signal),
      /cannot look at a in the bucket snapshots: no answer of http:.*100 ms/,
    );
    await assert.rejects(storage.upload('a', content(12)), /cannot store a in the bucket snapshots: no answer of/);
  });

  test('knows sizes, what does not exist, and what is refused', async () => {
    const { serve } = await playedS3((request, response) => {
      const status = request.endsWith('none') ? 404 : request.endsWith('secret') ? 403 : 200;
      response.writeHead(status, { 'content-length': '42' }).end();
      return true;
    });
    await using server = await httpServer(serve);
    const storage = s3Storage(settingsFor(server.url));
    assert.equal(await storage.sizeOf('a', signal), 42);
    assert.equal(await storage.sizeOf('none', signal), undefined);
    await assert.rejects(storage.sizeOf('secret', signal), /cannot look at secret .* answered 403/);
  });

  test('says which objects could not be deleted, and goes on', async () => {
    let batches = 0;
    const { serve } = await playedS3((_, response) => {
      batches += 1;
      const failed = '<Error><Key>key-0</Key><Code>AccessDenied</Code><Message>no</Message></Error>';
      if (batches === 1) response.end(`<DeleteResult>${failed}</DeleteResult>`);
      else response.writeHead(400).end(xml('MalformedXML', 'what?'));
      return true;
    });
    await using server = await httpServer(serve);
    const keys = Array.from({ length: 1001 }, (_, index) => `key-${index}`);
    const { removed, problem = '' } = await s3Storage(settingsFor(server.url)).remove(keys, signal);
    assert.deepEqual([removed.length, batches], [999, 2]);
    assert.match(
      problem,
      /^key-0: AccessDenied no; cannot delete from the bucket snapshots: .* answered 400: MalformedXML/,
    );
  });

  test('trusts the authority of the settings, besides the well-known ones', async () => {
    const validity = { now: Date.now(), validDays: 1 };
    const authority = certificateAuthority({ ...validity, name: 's3' });
    const names = { names: ['localhost'], addresses: ['127.0.0.1'] };
    const { serve } = await playedS3((_, response) => {
      response.writeHead(200, { 'content-length': '42' }).end();
      return true;
    });
    await using server = await httpServer(serve, issueServerCertificate(authority, { ...validity, ...names }));
    const trusting = { ...settingsFor(server.url), ca: authority.cert };
    assert.equal(await s3Storage(trusting).sizeOf('a', signal), 42);
    await assert.rejects(s3Storage(settingsFor(server.url)).sizeOf('a', signal), /no answer of https:.*certificate/);
  });
});
