// SPDX-License-Identifier: Apache-2.0
import type { Kind } from '@forge/kube/kinds/kind.ts';
import { parseFieldSelector } from '@forge/kube/selectors/selector.ts';
import { verbOf, type ResourcePath } from './request-info.ts';
import type { ServerRequest } from './server-request.ts';

/** Something done to a resource; what does not apply is empty. */
export interface ResourceAccessRequest {
  readonly verb: string;
  readonly group: string;
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
}

/** Something done to a path that is no resource's. */
interface NonResourceAccessRequest {
  readonly verb: string;
  readonly path: string;
}

/** What somebody wants to do, in the words of RBAC. */
export type AccessRequest = ResourceAccessRequest | NonResourceAccessRequest;

/** What a request attempts; `target` is what its path points at. */
export function accessRequestOf(
  { method, path, query }: Pick<ServerRequest, 'method' | 'path' | 'query'>,
  target: ResourcePath | undefined,
): AccessRequest {
  if (target === undefined) return { verb: method.toLowerCase(), path };
  const { group, plural: resource, namespace, name = '', subresource = '' } = target;
  const verb = verbOf(method, name !== '', query) ?? '';
  const looksAtOne = verb === 'list' || verb === 'watch';
  return {
    verb,
    group,
    resource,
    subresource,
    namespace: effectiveNamespace(group, resource, namespace, name),
    name: looksAtOne ? selectedName(query['fieldSelector']) : name,
  };
}

/** The attempt to create what a request names, where it asks for something else and this comes of it. */
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

/** The namespace an attempt is judged in: a namespace is taken to be inside itself. */
function effectiveNamespace(group: string, plural: string, namespace: string | undefined, name: string): string {
  return group === '' && plural === 'namespaces' ? name : (namespace ?? '');
}

/** The name of the only object that a selection can find; empty when there may be others. */
function selectedName(fieldSelector: string | undefined): string {
  if (fieldSelector === undefined) return '';
  try {
    const requirement = parseFieldSelector(fieldSelector).find(
      ({ path, operator }) => path === 'metadata.name' && operator === '=',
    );
    return requirement?.value ?? '';
  } catch {
    return '';
  }
}
