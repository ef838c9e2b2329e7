// SPDX-License-Identifier: Apache-2.0
import { Agent } from 'node:https';
import { Readable } from 'node:stream';
import { getCACertificates } from 'node:tls';
import {
  DeleteObjectsCommand,
  HeadObjectCommand,
  paginateListObjectsV2,
  S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import { seconds, type Duration } from '@forge/runtime/environment/duration.ts';
import { errorText } from '@forge/runtime/observability/error-text.ts';
import type { StorageSettings } from './backup-settings.ts';
import type { SnapshotStorage, StoredObject } from './snapshot-storage.ts';

/** How long the server may say nothing, before and after a connection is there. Every request is tried three times. */
interface Patience {
  readonly connection: Duration;
  readonly silence: Duration;
}

const usualPatience: Patience = { connection: seconds(10), silence: seconds(60) };

/** As many objects as one request may delete. */
const batchSize = 1000;

/** A bucket of an S3 server. */
export function s3Storage(settings: StorageSettings, { connection, silence } = usualPatience): SnapshotStorage {
  const { endpoint, bucket, credentials, concurrency, partSize, ca } = settings;
  const httpsAgent = new Agent({
    keepAlive: true,
    ...(ca !== undefined && { ca: [...getCACertificates('default'), ca] }),
  });
  const client = new S3Client({
    endpoint,
    region: settings.region,
    forcePathStyle: settings.usePathStyle,
    ...(credentials !== undefined && {
      credentials: {
        accessKeyId: credentials.accessKeyId,
        secretAccessKey: credentials.secretAccessKey.reveal(),
        ...(credentials.sessionToken !== undefined && { sessionToken: credentials.sessionToken.reveal() }),
      },
    }),
    requestHandler: { httpsAgent, connectionTimeout: connection, socketTimeout: silence },
    // Not every S3 server knows them. The signature covers a digest of each part.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  });

  const failed = (doing: string, error: unknown) =>
    new Error(`${doing}: ${reasonOf(error, settings)}`, { cause: error });

  return {
    async upload(key, content) {
      const body = Readable.from(content, { objectMode: false });
      try {
        const params = { Bucket: bucket, Key: key, Body: body, ContentType: 'application/gzip' };
        await new Upload({ client, params, partSize, queueSize: concurrency }).done();
      } catch (error) {
        throw failed(`cannot store ${key} in the bucket ${bucket}`, error);
      } finally {
        body.destroy();
      }
    },

    async sizeOf(key, signal) {
      try {
        const command = new HeadObjectCommand({ Bucket: bucket, Key: key });
        return (await client.send(command, { abortSignal: signal })).ContentLength;
      } catch (error) {
        // Its answer has no body, and so no name of the error.
        if (error instanceof S3ServiceException && error.$metadata.httpStatusCode === 404) return undefined;
        throw failed(`cannot look at ${key} in the bucket ${bucket}`, error);
      }
    },

    async list(prefix, signal) {
      try {
        const pages = paginateListObjectsV2({ client }, { Bucket: bucket, Prefix: prefix }, { abortSignal: signal });
        const objects: StoredObject[] = [];
        for await (const { Contents: found = [] } of pages) {
          for (const { Key: key, LastModified: modified } of found) {
            if (key !== undefined) objects.push({ key, modifiedAt: modified?.getTime() ?? Infinity });
          }
        }
        return objects;
      } catch (error) {
        throw failed(`cannot list ${prefix} in the bucket ${bucket}`, error);
      }
    },

    async remove(keys, signal) {
      const removed: string[] = [];
      const problems: string[] = [];
      for (let at = 0; at < keys.length; at += batchSize) {
        const batch = keys.slice(at, at + batchSize);
        const command = new DeleteObjectsCommand({
          Bucket: bucket,
          Delete: { Objects: batch.map((key) => ({ Key: key })), Quiet: true },
        });
        try {
          const { Errors: errors = [] } = await client.send(command, { abortSignal: signal });
          const kept = new Set(errors.map(({ Key: key }) => key));
          removed.push(...batch.filter((key) => !kept.has(key)));
          problems.push(...errors.map(({ Key: key, Code: code, Message: message }) => `${key}: ${code} ${message}`));
        } catch (error) {
          problems.push(failed(`cannot delete from the bucket ${bucket}`, error).message);
        }
      }
      return { removed, ...(problems.length > 0 && { problem: problems.join('; ') }) };
    },
  };
}

/** What the server said, or why it said nothing. */
function reasonOf(error: unknown, { endpoint }: StorageSettings): string {
  if (!(error instanceof S3ServiceException)) return `no answer of ${endpoint} (${errorText(error)})`;
  const { name, message, $metadata: metadata } = error;
  const said = message === name || message === '' ? name : `${name}: ${message}`;
  return `${endpoint} answered ${metadata.httpStatusCode ?? 'something else'}: ${said}`;
}
