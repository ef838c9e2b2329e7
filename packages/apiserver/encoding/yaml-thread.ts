// SPDX-License-Identifier: Apache-2.0
import { Worker } from 'node:worker_threads';
import { badRequest, statusError } from '../messages/status-errors.ts';
import type { Parsed } from './yaml-worker.ts';

/** What parsing one text may take. */
interface YamlLimits {
  readonly seconds: number;
  /** Of memory. */
  readonly mebibytes: number;
}

/** The limits of the server. */
const serverLimits: YamlLimits = { seconds: 5, mebibytes: 512 };

/** The most texts that wait for the thread, of one user and of all. */
const maxWaitingOfUser = 4;
const maxWaiting = 64;

/** A text that waits. */
interface Waiting extends PromiseWithResolvers<Uint8Array> {
  readonly bytes: Uint8Array;
}

/**
 * Parses YAML in a thread of its own, one text after the other: the time of the parser grows with more than its size. Users
 * take turns, so that one with many texts delays another by one of them.
 */
export class YamlThread {
  readonly #limits: YamlLimits;
  #worker: Worker | undefined;
  /** The texts of each user, first of whom it is the turn. */
  readonly #queues = new Map<string, Waiting[]>();
  #waiting = 0;
  #isRunning = false;

  constructor(limits = serverLimits) {
    this.#limits = limits;
  }

  /** The JSON text of a user's YAML text; throws a SyntaxError, or an API error when a limit is exceeded. */
  async toJson(bytes: Uint8Array, user: string): Promise<Uint8Array> {
    const queue = this.#queues.get(user) ?? [];
    if (queue.length >= maxWaitingOfUser || this.#waiting >= maxWaiting) throw tooManyTexts();
    const waiting = { bytes, ...Promise.withResolvers<Uint8Array>() };
    queue.push(waiting);
    this.#queues.set(user, queue);
    this.#waiting += 1;
    if (!this.#isRunning) void this.#run();
    return waiting.promise;
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    for (let next = this.#next(); next !== undefined; next = this.#next()) {
      await this.#parse(next.bytes).then(next.resolve, next.reject);
    }
    this.#isRunning = false;
  }

  /** Takes a text of the user whose turn it is. */
  #next(): Waiting | undefined {
    const [[user, queue] = []] = this.#queues;
    if (user === undefined || queue === undefined) return undefined;
    const next = queue.shift();
    this.#queues.delete(user);
    if (queue.length > 0) this.#queues.set(user, queue);
    this.#waiting -= 1;
    return next;
  }

  async #parse(bytes: Uint8Array): Promise<Uint8Array> {
    const { seconds, mebibytes } = this.#limits;
    const worker = (this.#worker ??= await startWorker(mebibytes));
    const { promise, resolve, reject } = Promise.withResolvers<Parsed>();
    const stop = (limit: string): void => reject(badRequest(`yaml: the document is too complex: limit is ${limit}`));
    const timer = setTimeout(() => stop(`${seconds} seconds`), seconds * 1000);
    const fail = (): void => stop(`${mebibytes} MiB of memory`);
    worker.once('message', resolve).once('error', fail);
    // Only while it parses does the thread keep the process alive.
    worker.ref();
    worker.postMessage(bytes, []);
    try {
      const parsed = await promise;
      if ('json' in parsed) return parsed.json;
      throw new SyntaxError(parsed.problem);
    } catch (error) {
      if (!(error instanceof SyntaxError)) {
        this.#worker = undefined;
        await worker.terminate();
      }
      throw error;
    } finally {
      clearTimeout(timer);
      worker.off('message', resolve).off('error', fail);
      worker.unref();
    }
  }
}

/** The YAML thread of this process; it starts on first use. */
export const yamlThread = new YamlThread();

async function startWorker(maxOldGenerationSizeMb: number): Promise<Worker> {
  const { program, role } = await import('./yaml-worker.ts');
  return new Worker(new URL(program), { workerData: role, resourceLimits: { maxOldGenerationSizeMb } });
}

function tooManyTexts(): Error {
  const message = 'Too many requests are sending large YAML documents, please try again later.';
  return statusError(429, 'TooManyRequests', message, { retryAfterSeconds: 1 });
}
