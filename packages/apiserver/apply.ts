// SPDX-License-Identifier: Apache-2.0
import { required } from '@forge/kube/field-error.ts';
import { isObject } from '@forge/kube/json.ts';
import type { KubeObject } from '@forge/kube/object.ts';
import { appliedProblems } from '@forge/kube/patch/applied-problems.ts';
import { applyPatch } from '@forge/kube/patch/apply.ts';
import { conflictMessage, type Conflict } from '@forge/kube/patch/conflict.ts';
import { timestamp } from '@forge/runtime/clock.ts';
import { viewOf } from './read.ts';
import { badRequest, conflict, fault, invalid, notFound, refusal, staleVersion } from './refusal.ts';
import type { ResourceRequest } from './resource-request.ts';
import { hasStatus, keyOf, type Resource } from './resource.ts';
import type { ServerContext } from './server-context.ts';
import type { ServerResponse } from './server-request.ts';
import { write } from './write-request.ts';

/** The content type of server-side apply. */
export const applyType = 'application/apply-patch+yaml';

/** Answers server-side apply: creates the object, or lays the applied fields over it and keeps who owns what. */
export async function applyObject(
  server: ServerContext,
  request: ResourceRequest,
  body: unknown,
): Promise<ServerResponse> {
  const { resource, namespace, name, subresource, query } = request;
  const { fieldManager: manager = '', force } = query as { fieldManager?: string; force?: string };
  if (manager === '') {
    throw invalid({ group: 'meta.k8s.io', kind: 'PatchOptions' }, '', [
      required('fieldManager', 'is required for apply patch'),
    ]);
  }
  const sent = appliedObject(body, request);
  const { stored, born } = await write(
    server,
    request,
    () => {
      const live = server.store.current.objects.get(keyOf(resource, namespace, name));
      if (live === undefined && subresource !== undefined) throw notFound(resource.kind, name);
      return live;
    },
    (live) => {
      const { resourceVersion, uid } = sent.metadata;
      if (live === undefined && uid !== undefined) {
        const why = `uid mismatch: the provided object specified uid ${uid}, and no existing object was found`;
        throw conflict(resource.kind, name, why);
      }
      if (live !== undefined && resourceVersion !== undefined && resourceVersion !== live.metadata.resourceVersion) {
        throw staleVersion(resource.kind, name);
      }
      const applied = ownPart(resource, subresource, sent);
      const { object, conflicts } = applyPatch({
        live,
        applied,
        schema: resource.kind.schema,
        manager,
        force: force === 'true',
        time: timestamp(server.clock),
        ...(subresource !== undefined && { subresource }),
      });
      if (conflicts.length > 0) throw applyConflict(conflicts);
      return { object, applied: true };
    },
  );
  return { status: born ? 201 : 200, payload: viewOf(server, request).one(stored) };
}

function appliedObject(body: unknown, { resource: { kind }, namespace, name }: ResourceRequest): KubeObject {
  if (!isObject(body) || !isObject(body['metadata'] ?? {})) {
    const found = Array.isArray(body) ? 'array' : typeof body;
    throw badRequest(
      `error decoding YAML: error unmarshaling JSON: while decoding JSON: json: cannot unmarshal ${found} into Go value of type map[string]interface {}`,
    );
  }
  const applied = { ...body, metadata: body['metadata'] ?? {} } as unknown as KubeObject;
  const { metadata } = applied;
  const { name: sentName = '', namespace: sentNamespace = namespace } = metadata as Partial<KubeObject['metadata']>;
  if (sentName === '')
    throw badRequest(`the name of the object (${name} based on URL) was undeterminable: name must be provided`);
  if (sentName !== name)
    throw badRequest(`the name of the object (${sentName}) does not match the name on the URL (${name})`);
  if (sentNamespace !== namespace) {
    throw badRequest('the namespace of the provided object does not match the namespace sent on the request');
  }
  if (metadata.managedFields !== undefined) throw badRequest('metadata.managedFields must be nil');
  const { apiVersion = '/', kind: sentKind = '' } = body as { apiVersion?: string; kind?: string };
  const sentType = `${apiVersion.includes('/') ? apiVersion : `/${apiVersion}`}, Kind=${sentKind}`;
  if (apiVersion !== kind.apiVersion || sentKind !== kind.kind) throw badRequest(`invalid object type: ${sentType}`);
  const problems = appliedProblems(applied, kind.schema);
  if (problems.length === 0) return applied;
  const list = problems.length === 1 ? problems[0] : `errors:\n  ${problems.join('\n  ')}`;
  throw fault(`failed to create typed patch object (${metadata.namespace ?? ''}/${name}; ${sentType}): ${list}`);
}

/** What the applied object may say where it was sent: status only on its own path. */
function ownPart(resource: Resource, subresource: string | undefined, applied: KubeObject): KubeObject {
  if (subresource !== undefined || !hasStatus(resource)) return applied;
  const { status: _, ...rest } = applied as KubeObject & { status?: unknown };
  return rest;
}

function applyConflict(conflicts: readonly Conflict[]): Error {
  const causes = conflicts.map(({ manager, field }) => ({
    reason: 'FieldManagerConflict',
    message: `conflict with ${manager}`,
    field,
  }));
  return refusal(409, 'Conflict', conflictMessage(conflicts), { causes });
}
