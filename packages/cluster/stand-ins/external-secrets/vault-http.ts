// SPDX-License-Identifier: Apache-2.0
import { isObject, type JsonObject } from '@forge/kube/objects/json.ts';
import { seconds, type Duration } from '@forge/runtime/environment/duration.ts';
import type { HttpClient } from '@forge/runtime/http/http-client.ts';
import type { SecretValue } from '@forge/runtime/secrets/secret-value.ts';

/** The HTTP API of a Vault or OpenBao server; paths are without `/v1/`. */
export interface VaultHttp {
  /** The body of the response; undefined for 404. Throws a VaultError, or an HttpError when there is no response. */
  call: (method: 'GET' | 'PUT' | 'DELETE', path: string, body?: JsonObject) => Promise<JsonObject | undefined>;
}

interface VaultHttpOptions {
  http: HttpClient;
  /** The URL of the server. */
  server: string;
  token?: SecretValue;
  /** For each request. Default: 10 seconds. */
  deadline?: Duration;
  signal?: AbortSignal;
}

/** An error response, in the wording of Vault's client. */
export class VaultError extends Error {
  override readonly name = 'VaultError';
  readonly status: number;

  constructor(request: string, status: number, errors: readonly unknown[]) {
    const texts = errors.map((each) => `* ${String(each).replaceAll(/\s+/g, ' ').trim()}`);
    super(`${request}: Code: ${status}. Errors: ${texts.join(' ')}`);
    this.status = status;
  }
}

/** Sends requests to a server, with this token if there is one. */
export function vaultHttp({ http, server, token, deadline = seconds(10), signal }: VaultHttpOptions): VaultHttp {
  const never = new AbortController().signal;
  return {
    async call(method, path, body) {
      const answer = await http.send({
        method,
        url: `${server.replace(/\/+$/, '')}/v1/${path}`,
        headers: { 'x-vault-request': 'true', ...(token !== undefined && { 'x-vault-token': token }) },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        deadline,
        signal: signal ?? never,
      });
      const content = parsed(answer.body.toString());
      // The response for a deleted version is a 404 with its metadata.
      if (answer.status === 404 && isObject(content['data'])) return content;
      if (answer.status === 404 && isEmpty(content['errors'])) return undefined;
      if (answer.status < 400) return content;
      throw new VaultError(`${method} ${path}`, answer.status, listOf(content['errors']));
    },
  };
}

function parsed(text: string): JsonObject {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}

function listOf(errors: unknown): readonly unknown[] {
  return Array.isArray(errors) ? errors : [];
}

function isEmpty(errors: unknown): boolean {
  return Array.isArray(errors) && errors.length === 0;
}
