// SPDX-License-Identifier: Apache-2.0

/** The parts of a URL; missing ones are empty. */
export interface ParsedUrl {
  readonly scheme: string;
  readonly host: string;
  readonly hostname: string;
  readonly port: string;
  readonly path: string;
  readonly query: string;
}

const shape = /^(?:([a-zA-Z][a-zA-Z0-9+.-]*):)?(?:\/\/([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#.*)?$/s;

/** Parses an absolute URL or path (Go's url.ParseRequestURI); returns an error message on failure. */
export function parseUrl(text: string): ParsedUrl | string {
  const failed = (why: string): string => `parse ${JSON.stringify(text)}: ${why}`;
  if (text === '') return failed('empty url');
  // oxlint-disable-next-line no-control-regex
  if (/[\u0000-\u001F\u007F]/.test(text)) return failed('net/url: invalid control character in URL');
  const [, scheme = '', authority, path = '', query = ''] = shape.exec(text) ?? [];
  if (authority === undefined && !path.startsWith('/')) return failed('invalid URI for request');
  const escape = /%(?![0-9a-fA-F]{2}).{0,2}/.exec(path)?.[0];
  if (escape !== undefined) return failed(`invalid URL escape ${JSON.stringify(escape)}`);
  const host = (authority ?? '').replace(/^[^@]*@/, '');
  const [, bracketed, plain = '', port] = /^(?:\[([^\]]*)\]|([^:]*))(?::(.*))?$/.exec(host) ?? [];
  if (port !== undefined && !/^\d*$/.test(port)) return failed(`invalid port ${JSON.stringify(`:${port}`)} after host`);
  if (/[\s<>"^`{|}\\]/.test(host)) {
    const character = /[\s<>"^`{|}\\]/.exec(host)?.[0] ?? '';
    return failed(`invalid character ${JSON.stringify(character)} in host name`);
  }
  const hostname = bracketed ?? plain;
  return { scheme: scheme.toLowerCase(), host, hostname, port: port ?? '', path: encodePath(path), query };
}

/** The escaped path; existing escapes are kept. */
function encodePath(path: string): string {
  return path.replaceAll(/[^A-Za-z0-9\-_.~$&+,/:;=@!'()*%[\]]+/g, encodeURIComponent);
}
