// SPDX-License-Identifier: Apache-2.0
import type { Impersonation } from './impersonate.ts';

/** A connection to a cluster as a user; certificates and keys are PEM. */
export interface Connection {
  server: string;
  ca?: string;
  /** The name that the server's certificate must have, in place of the server's host. */
  tlsServerName?: string;
  /** Accepts any certificate of the server. */
  insecureSkipTlsVerify?: boolean;
  /** The HTTP or HTTPS proxy that connections are tunnelled through. */
  proxyUrl?: string;
  cert?: string;
  key?: string;
  token?: string;
  /** A file with the token, which is rotated from time to time; it takes precedence over `token`. */
  tokenFile?: string;
  impersonate?: Impersonation;
}

/** Reads a text file. */
export type ReadFile = (path: string) => Promise<string>;
