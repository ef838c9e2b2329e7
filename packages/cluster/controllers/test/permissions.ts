// SPDX-License-Identifier: Apache-2.0
import { accessRequestOf, type ResourceAccessRequest } from '@forge/apiserver/request/access-request.ts';
import { parseResourcePath } from '@forge/apiserver/request/request-info.ts';
import type { ApiRequest } from '@forge/kube/client/transport.ts';

/** A permission of a rule: one verb on one resource, perhaps of one name, as text. */
export type Permission = string;

/** What a rule grants, as text; no name stands for all. */
export function permission({
  verb,
  group,
  resource,
  name,
}: Record<'verb' | 'group' | 'resource' | 'name', string>): Permission {
  const kind = group === '' ? resource : `${resource}.${group}`;
  return [verb, kind, name].filter((part) => part !== '').join(' ');
}

/** The permission that a request needs, for objects of any name; undefined when it concerns no resource. */
export function permissionFor({ method, path, query = {} }: ApiRequest): Permission | undefined {
  const access = accessRequestOf({ method, path, query }, parseResourcePath(path));
  if (!isOfResource(access)) return undefined;
  const { verb, group, resource, subresource } = access;
  return permission({ verb, group, resource: subresource === '' ? resource : `${resource}/${subresource}`, name: '' });
}

function isOfResource(access: ReturnType<typeof accessRequestOf>): access is ResourceAccessRequest {
  return 'resource' in access;
}
