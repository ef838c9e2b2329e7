// SPDX-License-Identifier: Apache-2.0
import { createSecureContext, getCACertificates, type SecureContext } from 'node:tls';
import { boundedMap } from '../collections/bounded-map.ts';

/** What a server must prove over TLS. */
export interface ServerTrust {
  /** PEM certificates of the authorities to trust, instead of the well-known ones; empty for none. */
  ca?: string;
  /** Whether the well-known authorities are trusted as well as `ca`. Default: only without a `ca`. */
  wellKnown?: boolean;
  /** The name that is asked for and that the server's certificate must have. Default: the host of the URL. */
  serverName?: string;
}

/** Each takes some milliseconds to make, with the well-known authorities some tens. */
const rememberedContexts = 32;

/** Makes the TLS contexts of a client; equal authorities share one, so that others take effect at once. */
export function secureContexts(): (trust: ServerTrust) => SecureContext {
  const contexts = boundedMap<SecureContext>(rememberedContexts);
  return ({ ca, wellKnown = ca === undefined }) => {
    const key = `${wellKnown} ${ca ?? ''}`;
    const known = contexts.get(key);
    if (known !== undefined) return known;
    // As a list: an empty text would mean the well-known ones.
    const own = ca === undefined ? [] : [ca];
    const made = createSecureContext(
      own.length === 0 && wellKnown ? {} : { ca: wellKnown ? [...getCACertificates('default'), ...own] : own },
    );
    contexts.set(key, made);
    return made;
  };
}
