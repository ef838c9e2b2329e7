// SPDX-License-Identifier: Apache-2.0
import { badRequest } from './refusal.ts';

/** Where the next page of a list begins, and at which revision the list is read. */
interface Position {
  revision: number;
  after: string;
}

/** The position as the opaque text a caller sends back. */
export function continueToken({ revision, after }: Position): string {
  return Buffer.from(JSON.stringify({ v: 'meta.k8s.io/v1', rv: revision, start: after })).toString('base64url');
}

/** Reads a token of ours; none when the list begins at its start. */
export function readContinueToken(token: string | undefined): Position | undefined {
  if (token === undefined || token === '') return undefined;
  try {
    const { rv, start } = JSON.parse(Buffer.from(token, 'base64url').toString()) as { rv?: unknown; start?: unknown };
    if (typeof rv === 'number' && typeof start === 'string') return { revision: rv, after: start };
  } catch {
    // Told below, as any other token that is not ours.
  }
  throw badRequest('continue key is not valid');
}
