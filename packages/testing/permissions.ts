// SPDX-License-Identifier: Apache-2.0
import { accessRequestOf, type ResourceAccessRequest } from '@forge/apiserver/messages/access-request.ts';
import { parseResourcePath } from '@forge/apiserver/messages/request-info.ts';
import type { ApiRequest } from '@forge/kube/client/transport.ts';

/** A permission of a rule as text: one verb on one resource, optionally on one name. */
export type Permission = string;

/** The permission of a rule; without a name, for all objects. */
export function permission({
  verb,
  group,
  resource,
  name,
}: Record<'verb' | 'group' | 'resource' | 'name', string>): Permission {
  const kind = group === '' ? resource : `${resource}.${group}`;
  return [verb, kind, name].filter((part) => part !== '').join(' ');
}

/** The permission that a request needs, for objects of any name; undefined when it is not about a resource. */
export function permissionFor({ method, path, query = {} }: ApiRequest): Permission | undefined {
  const access = accessRequestOf({ method, path, query }, parseResourcePath(path));
  if (!isOfResource(access)) return undefined;
  const { verb, group, resource, subresource } = access;
  return permission({ verb, group, resource: subresource === '' ? resource : `${resource}/${subresource}`, name: '' });
}

function isOfResource(access: ReturnType<typeof accessRequestOf>): access is ResourceAccessRequest {
  return 'resource' in access;
}
