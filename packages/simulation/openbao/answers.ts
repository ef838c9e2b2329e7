// SPDX-License-Identifier: Apache-2.0
import type { JsonObject } from '@forge/kube/objects/json.ts';
import type { Random } from '@forge/runtime/environment/random.ts';

/** The answer of a fake server. */
export interface FakeAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

const common = { 'cache-control': 'no-store', 'content-type': 'application/json' };

/** A JSON answer. */
export function json(status: number, body?: unknown): FakeAnswer {
  return { status, headers: common, body: Buffer.from(body === undefined ? '' : JSON.stringify(body)) };
}

/** An answer without content. */
export const noContent = json(204);

/** Errors as the handlers of HTTP return them. */
export function errors(status: number, ...messages: string[]): FakeAnswer {
  return json(status, { errors: messages });
}

/** Errors as the router wraps them. */
export function wrappedError(status: number, message: string): FakeAnswer {
  return errors(status, `1 error occurred:\n\t* ${message}\n\n`);
}

/** The answer of a logical read. */
export function logical(random: Random, { data = null, auth = null }: { data?: unknown; auth?: unknown }): FakeAnswer {
  return json(200, wrapped(random, { data, auth }));
}

/** The answer of reads that have their data also beside the wrapping, as earlier versions had it there only. */
export function logicalWith(random: Random, data: JsonObject): FakeAnswer {
  return json(200, { ...wrapped(random, { data, auth: null }), ...data });
}

function wrapped(random: Random, { data, auth }: { data: unknown; auth: unknown }): object {
  return {
    request_id: random.uuid(),
    lease_id: '',
    renewable: false,
    lease_duration: 0,
    data,
    wrap_info: null,
    warnings: null,
    auth,
  };
}

/** The stream of a snapshot. */
export function attachment(body: Buffer): FakeAnswer {
  const headers = { ...common, 'content-type': 'application/gzip', 'content-disposition': 'attachment' };
  return { status: 200, headers, body };
}

/** The redirection of a standby that cannot forward a request to the leader. */
export function redirection(location: string): FakeAnswer {
  return { status: 307, headers: { 'cache-control': 'no-store', location }, body: Buffer.alloc(0) };
}
