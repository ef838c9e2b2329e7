// SPDX-License-Identifier: Apache-2.0
import type { Kind } from '@forge/kube/kinds/kind.ts';
import { parseFieldSelector, type FieldRequirement } from '@forge/kube/selectors/selector.ts';
import { verbOf, type ResourcePath } from './request-info.ts';
import type { ServerRequest } from './server-request.ts';

/** Access to a resource; fields that do not apply are empty. */
export interface ResourceAccessRequest {
  readonly verb: string;
  readonly group: string;
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
  /** The field selector of a list, watch or deletecollection. */
  readonly fieldSelector?: readonly FieldRequirement[];
}

/** Access to a non-resource path. */
interface NonResourceAccessRequest {
  readonly verb: string;
  readonly path: string;
}

/** A requested access in RBAC terms. */
export type AccessRequest = ResourceAccessRequest | NonResourceAccessRequest;

/** The access that a request needs; `target` is the resource that its path names. */
export function accessRequestOf(
  { method, path, query }: Pick<ServerRequest, 'method' | 'path' | 'query'>,
  target: ResourcePath | undefined,
): AccessRequest {
  if (target === undefined) return { verb: method.toLowerCase(), path };
  const { group, plural: resource, namespace, name = '', subresource = '' } = target;
  const verb = verbOf(method, name !== '', query) ?? '';
  const fieldSelector = isSelecting.has(verb) ? requirementsIn(query['fieldSelector']) : [];
  const usesSelector = verb === 'list' || verb === 'watch';
  return {
    verb,
    group,
    resource,
    subresource,
    namespace: effectiveNamespace(group, resource, namespace, name),
    name: usesSelector ? selectedName(fieldSelector) : name,
    ...(fieldSelector.length > 0 && { fieldSelector }),
  };
}

const isSelecting = new Set(['list', 'watch', 'deletecollection']);

/** Access to create the object that a request names, for requests that create it as a side effect. */
export function createAccessRequest({ resource, namespace, name, subresource = '' }: Target): ResourceAccessRequest {
  const { group, plural } = resource.kind;
  return {
    verb: 'create',
    group,
    resource: plural,
    subresource,
    namespace: effectiveNamespace(group, plural, namespace, name),
    name,
  };
}

interface Target {
  readonly resource: { readonly kind: Pick<Kind, 'group' | 'plural'> };
  readonly namespace: string | undefined;
  readonly name: string;
  readonly subresource: string | undefined;
}

/** The namespace used for authorization: a Namespace object counts as inside itself. */
function effectiveNamespace(group: string, plural: string, namespace: string | undefined, name: string): string {
  return group === '' && plural === 'namespaces' ? name : (namespace ?? '');
}

/** The only object name that a field selector can match; empty when it can match several. */
function selectedName(requirements: readonly FieldRequirement[]): string {
  return requirements.find(({ path, operator }) => path === 'metadata.name' && operator === '=')?.value ?? '';
}

/** The requirements of a field selector; none when it is invalid. */
function requirementsIn(fieldSelector = ''): FieldRequirement[] {
  try {
    return parseFieldSelector(fieldSelector);
  } catch {
    return [];
  }
}
