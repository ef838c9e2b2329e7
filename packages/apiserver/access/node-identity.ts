// SPDX-License-Identifier: Apache-2.0
import type { User } from '../request/server-request.ts';

const prefix = 'system:node:';

/** The name of the node that the user is, which may be empty; undefined for other users. */
export function nodeNameOf({ name, groups }: User): string | undefined {
  return name.startsWith(prefix) && groups.includes('system:nodes') ? name.slice(prefix.length) : undefined;
}
