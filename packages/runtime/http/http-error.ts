// SPDX-License-Identifier: Apache-2.0

/** Why there is no complete response. */
export type HttpFailure =
  | { readonly kind: 'not-resolvable'; readonly host: string }
  | { readonly kind: 'connect-failed'; readonly host: string; readonly port: number }
  | { readonly kind: 'tls-failed'; readonly serverName: string }
  | { readonly kind: 'timeout'; readonly phase: HttpPhase; readonly seconds: number }
  | { readonly kind: 'body-too-large'; readonly body: 'request' | 'response'; readonly maxBytes: number }
  | { readonly kind: 'broken-response'; readonly phase: HttpPhase }
  /** It could not even be sent: a bad URL or header, or the stream of its body failed. */
  | { readonly kind: 'not-sendable' }
  | { readonly kind: 'aborted' };

/** How far a request got; connecting includes the resolution of the name. */
export type HttpPhase = 'connect' | 'tls' | 'headers' | 'body';

/** A request without a complete response. Its text contains no headers, and of the URL no credentials, query or fragment. */
export class HttpError extends Error {
  override readonly name = 'HttpError';
  readonly failure: HttpFailure;
  readonly url: string;

  constructor(method: string, url: string, failure: HttpFailure, cause?: unknown) {
    const shown = withoutSecrets(url);
    super(`${method} ${shown}: ${textOf(failure, cause)}`, { cause });
    this.failure = failure;
    this.url = shown;
  }
}

/** A URL without credentials, query and fragment. */
function withoutSecrets(url: string): string {
  return url.replace(/[?#].*$/s, '').replace(/^([a-z]+:\/\/)[^/]*@/i, '$1');
}

const awaited: Readonly<Record<HttpPhase, string>> = {
  connect: 'the connection',
  tls: 'the TLS handshake',
  headers: 'the response headers',
  body: 'the rest of the body',
};

function textOf(failure: HttpFailure, cause: unknown): string {
  switch (failure.kind) {
    case 'not-resolvable':
      return `host ${failure.host} cannot be resolved (${causeOf(cause)}); check the name and the DNS`;
    case 'connect-failed':
      return `cannot connect to ${failure.host} port ${failure.port} (${causeOf(cause)}); check that it is running and reachable`;
    case 'tls-failed':
      return `TLS with server name ${failure.serverName} failed (${causeOf(cause)}); check its certificate and the CA bundle`;
    case 'timeout':
      return `timed out after ${failure.seconds} s waiting for ${awaited[failure.phase]}`;
    case 'body-too-large':
      return `the ${failure.body} body is larger than ${failure.maxBytes} bytes`;
    case 'broken-response':
      return `the connection broke waiting for ${awaited[failure.phase]} (${causeOf(cause)})`;
    case 'not-sendable':
      return `the request cannot be sent: ${causeOf(cause)}`;
    case 'aborted':
      return 'aborted by the caller';
  }
}

function causeOf(cause: unknown): string {
  if (cause instanceof AggregateError) return cause.errors.map(causeOf).join('; ');
  return cause instanceof Error ? cause.message : String(cause);
}
