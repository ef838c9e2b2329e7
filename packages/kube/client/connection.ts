// SPDX-License-Identifier: Apache-2.0

/** The way to one cluster as one user; certificates and keys are PEM texts. */
export interface Connection {
  server: string;
  ca?: string;
  cert?: string;
  key?: string;
  token?: string;
  /** A file with the token, which somebody renews from time to time. */
  tokenFile?: string;
}

/** Reads a text file. */
export type ReadFile = (path: string) => Promise<string>;
