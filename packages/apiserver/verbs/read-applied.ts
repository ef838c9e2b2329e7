// SPDX-License-Identifier: Apache-2.0
import type { Kind } from '@forge/kube/kinds/kind.ts';
import { isObject } from '@forge/kube/objects/json.ts';
import type { KubeObject } from '@forge/kube/objects/object.ts';
import { applyErrors } from '@forge/kube/patch/apply-errors.ts';
import { badRequest, errorWithoutReason, nameMismatch, namespaceMismatch } from '../messages/status-errors.ts';
import type { ResourceRequest } from '../request/resource-request.ts';

type Place = Pick<ResourceRequest, 'name' | 'namespace'>;

/** Reads the body of a server-side apply as an object of this kind, with this namespace and name if given. */
export function readApplied(
  body: unknown,
  kind: Pick<Kind, 'apiVersion' | 'kind' | 'schema'>,
  place?: Place,
): KubeObject {
  if (!isObject(body) || !isObject(body['metadata'] ?? {})) {
    const found = Array.isArray(body) ? 'array' : typeof body;
    throw badRequest(
      `error decoding YAML: error unmarshaling JSON: while decoding JSON: json: cannot unmarshal ${found} into Go value of type map[string]interface {}`,
    );
  }
  const applied = { ...body, metadata: body['metadata'] ?? {} } as unknown as KubeObject;
  const { metadata } = applied;
  if (metadata.managedFields !== undefined) throw badRequest('metadata.managedFields must be nil');
  const { apiVersion = '/', kind: sentKind = '' } = body as { apiVersion?: string; kind?: string };
  const sentType = `${apiVersion.includes('/') ? apiVersion : `/${apiVersion}`}, Kind=${sentKind}`;
  if (apiVersion !== kind.apiVersion || sentKind !== kind.kind) throw badRequest(`invalid object type: ${sentType}`);
  if (place !== undefined) checkPlace(metadata, place);
  const problems = applyErrors(applied, kind.schema);
  if (problems.length === 0) return applied;
  const list = problems.length === 1 ? problems[0] : `errors:\n  ${problems.join('\n  ')}`;
  throw errorWithoutReason(
    `failed to create typed patch object (${metadata.namespace ?? ''}/${metadata.name}; ${sentType}): ${list}`,
  );
}

function checkPlace(metadata: Partial<KubeObject['metadata']>, { name, namespace }: Place): void {
  const { name: sentName = '', namespace: sentNamespace = namespace } = metadata;
  if (sentName === '') {
    throw badRequest(`the name of the object (${name} based on URL) was undeterminable: name must be provided`);
  }
  if (sentName !== name) {
    throw nameMismatch(sentName, name);
  }
  if (sentNamespace !== namespace) {
    throw namespaceMismatch();
  }
}
