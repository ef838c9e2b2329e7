// SPDX-License-Identifier: Apache-2.0
import type { Dispatcher } from 'undici';
import type { ApiRequest } from './transport.ts';

type Controller = Dispatcher.DispatchController;
type Headers = Parameters<NonNullable<Dispatcher.DispatchHandler['onResponseStart']>>[2];

/** A response whose body is still to be read. */
export interface StreamedResponse {
  status: number;
  headers: Headers;
  /** Throws when the connection breaks or the signal aborts; a reader that stops aborts the request. */
  bytes: AsyncIterable<Uint8Array>;
}

/** More buffered bytes than this pause the sender. */
const maxBufferedBytes = 1 << 20;

/** Sends a request; resolves with the response headers. Chunks go directly to the reader, without a stream. */
export async function sendRequest(
  dispatcher: Pick<Dispatcher, 'dispatch'>,
  request: Dispatcher.DispatchOptions,
  { signal, beforeSending }: Pick<ApiRequest, 'signal' | 'beforeSending'> = {},
): Promise<StreamedResponse> {
  signal?.throwIfAborted();
  const head = Promise.withResolvers<StreamedResponse>();
  let sending: Controller | undefined;
  let chunks: Uint8Array[] = [];
  let buffered = 0;
  let outcome: { error?: unknown } | undefined;
  let resumeReader: (() => void) | undefined;

  function finish(how: { error?: unknown }): void {
    if (outcome !== undefined) return;
    outcome = how;
    signal?.removeEventListener('abort', abort);
    head.reject(how.error);
    resumeReader?.();
  }

  function abort(): void {
    finish({ error: signal?.reason });
    sending?.abort(signal?.reason as Error);
  }

  async function* bytes(): AsyncGenerator<Uint8Array> {
    try {
      for (;;) {
        const arrived = chunks;
        chunks = [];
        buffered = 0;
        if (sending?.paused === true) sending.resume();
        for (const chunk of arrived) yield chunk;
        if (chunks.length > 0) continue;
        if (outcome !== undefined && 'error' in outcome) throw outcome.error;
        if (outcome !== undefined) return;
        await new Promise<void>((resolve) => (resumeReader = resolve));
      }
    } finally {
      if (outcome === undefined) sending?.abort(new Error('the response is no longer read'));
    }
  }

  signal?.addEventListener('abort', abort);
  dispatcher.dispatch(request, {
    onRequestStart(controller) {
      sending = controller;
      // The signal aborted before there was anything to abort.
      if (outcome !== undefined) abort();
      else beforeSending?.();
    },
    onResponseStart: (_, status, headers) => head.resolve({ status, headers, bytes: bytes() }),
    onResponseData(controller, chunk) {
      chunks.push(chunk);
      buffered += chunk.length;
      if (buffered > maxBufferedBytes) controller.pause();
      resumeReader?.();
    },
    onResponseEnd: () => finish({}),
    onResponseError: (_, error) => finish({ error }),
  });
  return await head.promise;
}
