// SPDX-License-Identifier: Apache-2.0
import { sleep, type Clock } from '@forge/runtime/environment/clock.ts';
import { minutes, seconds } from '@forge/runtime/environment/duration.ts';

/**
 * How a request fails:
 * - `down`: nobody listens
 * - `hung`: nobody answers
 * - `cut`: an upload breaks off in the middle
 * - `unanswered`: it succeeds, and its answer is lost
 * - `shortened`: it succeeds, and the end of what is stored is missing
 * - a text: the server refuses it with this answer, such as `403: AccessDenied`
 */
type BucketFailure = 'down' | 'hung' | 'cut' | 'unanswered' | 'shortened' | { readonly answer: string };

interface BucketObject {
  readonly content: Buffer;
  readonly modifiedAt: number;
}

/** A bucket as one process reaches it. */
interface BucketClient {
  upload(key: string, content: AsyncIterable<Uint8Array>): Promise<void>;
  sizeOf(key: string, signal: AbortSignal): Promise<number | undefined>;
  list(prefix: string, signal: AbortSignal): Promise<{ key: string; modifiedAt: number }[]>;
  remove(keys: readonly string[], signal: AbortSignal): Promise<{ removed: string[]; problem?: string }>;
}

/** A bucket in memory, which fails on demand. */
export interface FakeBucket {
  /** How a request fails: `PUT {key}`, `HEAD {key}`, `LIST {prefix}`, `DELETE {key}`. Default: none does. */
  failure: (request: string) => BucketFailure | undefined;
  /** The requests that it received, oldest first. */
  readonly requests: readonly string[];
  /** What is stored, by key. */
  readonly objects: ReadonlyMap<string, BucketObject>;
  /** Stores an object as somebody else does. */
  put(key: string, content: Uint8Array, modifiedAt: number): void;
  reachedBy(clock: Clock): BucketClient;
  /** A copy with the same objects, which does not fail. */
  fork(): FakeBucket;
}

/** When a client that tries three times gives up. */
const refusedAfter = seconds(1);
const silentFor = minutes(3);

/** A bucket with these objects. */
export function fakeBucket(stored: ReadonlyMap<string, BucketObject> = new Map()): FakeBucket {
  const objects = new Map(stored);
  const requests: string[] = [];

  /** Resolves with a failure that comes after the request has taken effect. */
  async function reach(clock: Clock, request: string, signal?: AbortSignal): Promise<BucketFailure | undefined> {
    requests.push(request);
    const failure = bucket.failure(request);
    if (failure === 'hung') await sleep(clock, silentFor, signal);
    if (failure === 'down') await sleep(clock, refusedAfter, signal);
    if (failure === 'hung' || failure === 'down') throw new Error(`${request}: no answer of the storage server`);
    if (typeof failure === 'object') throw new Error(`${request}: the storage server answered ${failure.answer}`);
    return failure;
  }

  const bucket: FakeBucket = {
    failure: () => undefined,
    requests,
    objects,
    put: (key, content, modifiedAt) => objects.set(key, { content: Buffer.from(content), modifiedAt }),
    fork: () => fakeBucket(objects),
    reachedBy: (clock) => ({
      async upload(key, content) {
        const failure = await reach(clock, `PUT ${key}`);
        const parts: Uint8Array[] = [];
        for await (const part of content) {
          parts.push(part);
          if (failure === 'cut') throw new Error(`PUT ${key}: the connection broke`);
        }
        const whole = Buffer.concat(parts);
        const kept = failure === 'shortened' ? whole.subarray(0, -1) : whole;
        objects.set(key, { content: kept, modifiedAt: clock.now() });
        if (failure === 'unanswered') throw new Error(`PUT ${key}: the connection broke`);
      },
      async sizeOf(key, signal) {
        await reach(clock, `HEAD ${key}`, signal);
        return objects.get(key)?.content.length;
      },
      async list(prefix, signal) {
        await reach(clock, `LIST ${prefix}`, signal);
        return [...objects].flatMap(([key, { modifiedAt }]) => (key.startsWith(prefix) ? [{ key, modifiedAt }] : []));
      },
      async remove(keys, signal) {
        const removed: string[] = [];
        const problems: string[] = [];
        for (const key of keys) {
          try {
            await reach(clock, `DELETE ${key}`, signal);
            objects.delete(key);
            removed.push(key);
          } catch (error) {
            problems.push(String(error));
          }
        }
        return { removed, ...(problems.length > 0 && { problem: problems.join('; ') }) };
      },
    }),
  };
  return bucket;
}
