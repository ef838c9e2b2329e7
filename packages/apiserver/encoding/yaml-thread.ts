// SPDX-License-Identifier: Apache-2.0
import { Worker } from 'node:worker_threads';
import { badRequest, statusError } from '../request/status-errors.ts';
import type { Parsed } from './yaml-worker.ts';

/** How long a text may take, in milliseconds. */
const timeLimit = 5000;

/** How much memory it may take, in MiB. */
const memoryLimit = 512;

/** The most texts that wait for the thread. */
const maxWaiting = 16;

/** Parses YAML in a thread of its own, one text after the other: the time of the parser grows with more than its size. */
class YamlThread {
  #worker: Worker | undefined;
  #waiting = 0;
  #last: Promise<unknown> = Promise.resolve();

  /** The JSON text of a YAML text; throws a SyntaxError, or an API error when a limit is exceeded. */
  async toJson(bytes: Uint8Array): Promise<Uint8Array> {
    if (this.#waiting >= maxWaiting) throw tooManyTexts();
    this.#waiting += 1;
    const turn = this.#last.then(() => this.#parse(bytes));
    this.#last = turn.catch(() => {});
    try {
      return await turn;
    } finally {
      this.#waiting -= 1;
    }
  }

  async #parse(bytes: Uint8Array): Promise<Uint8Array> {
    const worker = (this.#worker ??= await startWorker());
    const { promise, resolve, reject } = Promise.withResolvers<Parsed>();
    const stop = (limit: string): void => reject(badRequest(`yaml: the document is too complex: limit is ${limit}`));
    const timer = setTimeout(() => stop(`${timeLimit / 1000} seconds`), timeLimit);
    const fail = (): void => stop(`${memoryLimit} MiB of memory`);
    worker.once('message', resolve).once('error', fail);
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
    }
  }
}

/** The thread of this process; it starts with the first text. */
export const yamlThread = new YamlThread();

async function startWorker(): Promise<Worker> {
  const { program, role } = await import('./yaml-worker.ts');
  const resourceLimits = { maxOldGenerationSizeMb: memoryLimit };
  const worker = new Worker(new URL(program), { workerData: role, resourceLimits });
  worker.unref();
  return worker;
}

function tooManyTexts(): Error {
  const message = 'Too many requests are sending large YAML documents, please try again later.';
  return statusError(429, 'TooManyRequests', message, { retryAfterSeconds: 1 });
}
