// SPDX-License-Identifier: Apache-2.0
import { apiVersionOf } from '@forge/kube/kinds/kind.ts';
import type { JsonObject } from '@forge/kube/objects/json.ts';
import type { KubeObject } from '@forge/kube/objects/object.ts';
import { userInfo } from '../access/user-info.ts';
import type { AdmissionAttributes } from './admission-attributes.ts';

/** The AdmissionRequest without its objects, for one version of the resource; what is rarely read is made when it is. */
export function requestOf(attributes: AdmissionAttributes, version: string): JsonObject {
  const { kind, subresource, namespace, name, operation, dryRun } = attributes;
  const { group: of, plural, version: requested } = attributes.resource.kind;
  return {
    kind: hasOwnKind(attributes) ? kind : { ...kind, version },
    resource: { group: of, version, resource: plural },
    ...(subresource !== undefined && { subResource: subresource }),
    requestKind: kind,
    requestResource: { group: of, version: requested, resource: plural },
    ...(subresource !== undefined && { requestSubResource: subresource }),
    ...(name !== '' && { name }),
    ...(namespace !== undefined && { namespace }),
    operation,
    get userInfo() {
      return userInfo(attributes.user);
    },
    dryRun,
    get options() {
      return attributes.options();
    },
  };
}

/** Old or new object of a request, in one version of the resource. */
export function objectIn<T extends KubeObject | undefined>(
  attributes: AdmissionAttributes,
  object: T,
  version: string,
): T {
  const { kind } = attributes.resource;
  if (object === undefined || version === kind.version || hasOwnKind(attributes)) return object;
  return { ...object, apiVersion: apiVersionOf(kind.group, version) };
}

/** Whether it concerns a subresource with a kind of its own. */
function hasOwnKind({ kind, resource }: AdmissionAttributes): boolean {
  return kind.kind !== resource.kind.kind;
}
