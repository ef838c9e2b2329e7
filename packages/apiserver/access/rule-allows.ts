// SPDX-License-Identifier: Apache-2.0
import type { PolicyRule } from '@forge/kube/generated/types.ts';
import type { AccessRequest } from '../messages/access-request.ts';

/** Whether a rule allows the access. */
export function ruleAllows(rule: PolicyRule, access: AccessRequest): boolean {
  if (!names(rule.verbs, access.verb)) return false;
  if ('path' in access) return rule.nonResourceURLs?.some((url) => coversUrl(url, access.path)) ?? false;
  const { group, resource, subresource, name } = access;
  if (!names(rule.apiGroups ?? [], group)) return false;
  const { resources = [], resourceNames = [] } = rule;
  const isCovered =
    subresource === ''
      ? names(resources, resource)
      : names(resources, `${resource}/${subresource}`) || resources.includes(`*/${subresource}`);
  return isCovered && (resourceNames.length === 0 || resourceNames.includes(name));
}

/** Whether a nonResourceURL, which may end in `*`, matches a path. */
export function coversUrl(url: string, path: string): boolean {
  return url === path || (url.endsWith('*') && path.startsWith(url.replace(/\*+$/, '')));
}

/** Whether the list contains the value or `*`. */
function names(list: readonly string[], word: string): boolean {
  return list.includes(word) || list.includes('*');
}
