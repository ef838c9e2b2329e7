// SPDX-License-Identifier: Apache-2.0

/** A connection to a cluster as a user; certificates and keys are PEM. */
export interface Connection {
  server: string;
  ca?: string;
  cert?: string;
  key?: string;
  token?: string;
  /** A file with the token, which is rotated from time to time. */
  tokenFile?: string;
}

/** Reads a text file. */
export type ReadFile = (path: string) => Promise<string>;
