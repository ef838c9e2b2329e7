// SPDX-License-Identifier: Apache-2.0
import type { User } from '../messages/server-request.ts';

const prefix = 'system:node:';

/** The node name of a user, possibly empty; undefined for users that are not nodes. */
export function nodeNameOf({ name, groups }: User): string | undefined {
  return name.startsWith(prefix) && groups.includes('system:nodes') ? name.slice(prefix.length) : undefined;
}
