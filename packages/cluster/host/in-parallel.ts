// SPDX-License-Identifier: Apache-2.0

/**
 * Processes `items`, at most `limit` at a time; on the first failure the others are aborted and awaited, so that
 * nothing is still running when the error is thrown.
 */
export async function inParallel<T>(
  items: Iterable<T>,
  limit: number,
  work: (item: T, signal: AbortSignal) => Promise<void>,
  signal?: AbortSignal,
): Promise<void> {
  const failure = new AbortController();
  const either = signal ? AbortSignal.any([signal, failure.signal]) : failure.signal;
  const queue = Iterator.from(items);
  const workers = Array.from({ length: limit }, async () => {
    for (const item of queue) {
      either.throwIfAborted();
      try {
        await work(item, either);
      } catch (error) {
        failure.abort(error);
        throw error;
      }
    }
  });
  await Promise.allSettled(workers);
  either.throwIfAborted();
}
