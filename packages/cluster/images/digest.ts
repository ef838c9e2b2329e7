// SPDX-License-Identifier: Apache-2.0
import { createHash } from 'node:crypto';

/** The digest of a JSON value, in the format of image digests. */
export function digestOf(value: unknown): string {
  return `sha256:${createHash('sha256').update(JSON.stringify(value)).digest('hex')}`;
}
