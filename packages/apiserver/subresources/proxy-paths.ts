// SPDX-License-Identifier: Apache-2.0
import { posix } from 'node:path';
import type { PodEndpoint } from '../kubelet/request-pod.ts';

const kept: Readonly<Record<string, string>> = Object.fromEntries(
  Array.from('$&+,/:;=@', (character) => [encodeURIComponent(character), character]),
);

/** A decoded path in the encoding of Go's url.URL. */
export function escapePath(path: string): string {
  return encodeURIComponent(path.toWellFormed()).replaceAll(
    /%(?:24|26|2B|2C|2F|3A|3B|3D|40)|[!'()*]/g,
    (found) => kept[found] ?? `%${found.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/** A Location of the backend as seen through the proxy: absolute paths on the same host get the proxy's prefix. */
export function rewriteLocation(
  location: string,
  { prefix, endpoint, host }: { prefix: string; endpoint: PodEndpoint; host: string | undefined },
): string {
  const [, authority, path = '', rest = ''] =
    /^(?:(?:[a-z][a-z0-9+.-]*:)?\/\/([^/?#]*))?([^?#]*)(.*)$/is.exec(location) ?? [];
  const isSameHost = authority === undefined || authority === `${endpoint.host}:${endpoint.port}` || authority === host;
  if (!isSameHost || !path.startsWith('/')) return location;
  return path.startsWith(prefix) ? `${path}${rest}` : `${posix.join(prefix, path)}${rest}`;
}
