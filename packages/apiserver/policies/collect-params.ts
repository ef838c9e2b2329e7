// SPDX-License-Identifier: Apache-2.0
import type { ParamKind, ParamRef } from '@forge/kube/generated/types.ts';
import type { KubeObject } from '@forge/kube/objects/object.ts';
import { labelMatcher } from '@forge/kube/selectors/selector.ts';
import type { ServerContext } from '../request/server-context.ts';
import { keyOf, prefixOf, type Resource } from '../resources/resource.ts';

/** Why a policy or binding cannot be evaluated. */
export class ConfigurationError extends Error {}

/** The resource of a policy's paramKind; throws ConfigurationError when it is not served. */
export function paramResource({ apiVersion = '', kind = '' }: ParamKind, { resources }: ServerContext): Resource {
  const found = resources.findKind(apiVersion, kind);
  if (found !== undefined) return found;
  const groupVersion = apiVersion.includes('/') ? apiVersion : `/${apiVersion}`;
  throw new ConfigurationError(`failed to find resource referenced by paramKind: '${groupVersion}, Kind=${kind}'`);
}

/** The params that a binding refers to; throws ConfigurationError when they are missing and must not be. */
export function collectParams(
  resource: Resource,
  ref: ParamRef,
  requested: string | undefined,
  server: ServerContext,
): readonly KubeObject[] {
  const params = findParams(resource, ref, paramNamespace(resource, ref, requested), server);
  if (params.length > 0 || ref.parameterNotFoundAction !== 'Deny') return params;
  throw new ConfigurationError('no params found for policy binding with `Deny` parameterNotFoundAction');
}

/** The namespace of the params: that of the reference, else of the request; undefined when they have none. */
function paramNamespace({ kind }: Resource, ref: ParamRef, requested: string | undefined): string | undefined {
  const { namespace = '' } = ref;
  if (kind.scope === 'Cluster') {
    if (namespace === '') return undefined;
    throw new ConfigurationError('paramRef.namespace must not be provided for a cluster-scoped `paramKind`');
  }
  if (namespace !== '') return namespace;
  if (requested !== undefined) return requested;
  throw new ConfigurationError(
    'cannot use namespaced paramRef in policy binding that matches cluster-scoped resources',
  );
}

function findParams(
  resource: Resource,
  { name = '', selector }: ParamRef,
  namespace: string | undefined,
  { store }: ServerContext,
): readonly KubeObject[] {
  const { objects } = store.current;
  if (name !== '') {
    const stored = objects.get(keyOf(resource, namespace, name));
    return stored === undefined ? [] : [resource.toServed(stored).value];
  }
  const listed = Array.from(
    objects.withPrefix(prefixOf(resource, namespace)),
    (stored) => resource.toServed(stored).value,
  );
  const isSelected = labelMatcher(selector);
  return listed.filter(({ metadata }) => isSelected(metadata.labels));
}
