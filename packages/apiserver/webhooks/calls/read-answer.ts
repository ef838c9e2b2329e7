// SPDX-License-Identifier: Apache-2.0
import type { Status } from '@forge/kube/errors/api-error.ts';
import { isObject } from '@forge/kube/objects/json.ts';
import { parseJson } from '../../encoding/parse-json.ts';
import { CallFailure } from './call-failure.ts';
import type { WebhookResponse } from './call-webhook.ts';

/** client-go's messages for status codes without a Status. */
const defaultMessages: Readonly<Record<number, string>> = {
  400: 'the server rejected our request for an unknown reason',
  401: 'the server has asked for the client to provide credentials',
  404: 'the server could not find the requested resource',
  405: 'the server does not allow this method on the requested resource',
  409: 'the server reported a conflict',
  422: 'the server rejected our request due to an error in our request',
  429: 'the server has received too many requests and has asked us to try again later',
  503: 'the server is currently unable to handle the request',
  504: 'the server was unable to return a response in the time allotted, but may still be processing the request',
};

/** Parses a webhook response; non-JSON text counts as a string, as in YAML. Throws for an error status. */
export function readAnswer({ status, contentType, body }: WebhookResponse): unknown {
  const value = parsed(body);
  if (status >= 200 && status < 300) return value;
  const { kind, message } = (isObject(value) ? value : {}) as Partial<Status>;
  const text = kind === 'Status' && message !== undefined ? message : explain(status, contentType, body);
  throw new CallFailure(`failed to call webhook: ${text}`);
}

/** Maximum number of bytes that an error quotes of a response that is not a Status. */
const maxQuotedBytes = 2048;

function explain(status: number, contentType: string, body: string): string {
  const isText = contentType === '' || contentType.startsWith('text/');
  const text = isText ? Buffer.from(body).subarray(0, maxQuotedBytes).toString().trim() : 'unknown';
  if (status === 403 || status === 415) return text;
  const generic =
    status >= 500
      ? `an error on the server (${JSON.stringify(text)}) has prevented the request from succeeding`
      : `the server responded with the status code ${status} but did not return more information`;
  return defaultMessages[status] ?? generic;
}

function parsed(body: string): unknown {
  try {
    return parseJson(Buffer.from(body)).value;
  } catch (error) {
    if (error instanceof SyntaxError) return body;
    throw new CallFailure(`failed to call webhook: ${(error as Error).message}`, { cause: error });
  }
}
