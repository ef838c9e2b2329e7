// SPDX-License-Identifier: Apache-2.0
import type { ServerRequest } from './server-request.ts';
import { badRequest, statusError } from './status-errors.ts';

/** Maximum length of a header value in characters: lists of media types are parsed for each request. */
const maxHeader = 64 * 1024;

/** Maximum number of query parameters, as in Go. */
const maxParameters = 10_000;

/** Throws when a header or the query of a request is too long to be parsed. */
export function checkLimits({ headers, search = '' }: ServerRequest): void {
  for (const name in headers) {
    if (isHeaderTooLong(headers[name])) {
      const message = `Request Header Fields Too Large: ${name.slice(0, 100)}: limit is ${maxHeader} bytes`;
      throw statusError(431, 'BadRequest', message);
    }
  }
  if (hasTooManyParameters(search)) throw badRequest(`too many query parameters: limit is ${maxParameters}`);
}

/** Whether a header value is too long. */
export function isHeaderTooLong(value = ''): boolean {
  return value.length > maxHeader;
}

/** Whether a query has too many parameters. */
export function hasTooManyParameters(search: string): boolean {
  if (search.length <= maxParameters) return false;
  let parameters = 1;
  for (let at = search.indexOf('&'); at >= 0; at = search.indexOf('&', at + 1)) parameters += 1;
  return parameters > maxParameters;
}
