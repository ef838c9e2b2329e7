// SPDX-License-Identifier: Apache-2.0
import type { UserInfo } from '@forge/kube/generated/types.ts';
import type { User } from '../messages/server-request.ts';

/** The UserInfo of a user, for reviews and webhooks. */
export function userInfo({ name, uid = '', groups, extra }: User): UserInfo {
  return {
    username: name,
    ...(uid !== '' && { uid }),
    ...(groups.length > 0 && { groups: [...groups] }),
    ...(extra !== undefined && { extra: extra as Record<string, string[]> }),
  };
}
