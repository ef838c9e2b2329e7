// SPDX-License-Identifier: Apache-2.0
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { KubeObject } from '@forge/kube/objects/object.ts';
import { applyPatch, applySteps } from '@forge/kube/patch/apply.ts';
import { conflictMessage, type Conflict } from '@forge/kube/patch/conflict.ts';
import { timestamp } from '@forge/runtime/environment/clock.ts';
import { authorize } from '../access/authorize.ts';
import { createAccessRequest } from '../messages/access-request.ts';
import { isLarge } from '../messages/large-body.ts';
import type { ServerResponse } from '../messages/server-request.ts';
import { conflict, notFound, statusError, staleVersion } from '../messages/status-errors.ts';
import type { ResourceRequest } from '../request/resource-request.ts';
import type { ServerContext } from '../request/server-context.ts';
import { hasStatus, keyOf, type Resource } from '../resources/resource.ts';
import { readApplied } from './read-applied.ts';
import { viewOf } from './read.ts';
import { write } from './write-request.ts';

/** The content type of server-side apply. */
export const applyType = 'application/apply-patch+yaml';

/** Handles server-side apply of a decoded body of this size: creates the object, or merges the applied fields and tracks ownership. */
export async function applyObject(
  server: ServerContext,
  request: ResourceRequest,
  body: unknown,
  size: number,
): Promise<ServerResponse> {
  const { resource, namespace, name, subresource, query } = request;
  const { fieldManager: manager = '', force } = query as { fieldManager?: string; force?: string };
  const sent = readApplied(body, resource.kind, request);
  if (isLarge(size)) await nextTurn();
  const { stored, created } = await write(
    server,
    request,
    () => {
      const live = server.store.current.objects.get(keyOf(resource, namespace, name));
      if (live === undefined && subresource !== undefined) throw notFound(resource.kind, name);
      if (live === undefined) authorize(server.authorizer, request.user, createAccessRequest(request));
      return live;
    },
    async (live) => {
      const { resourceVersion, uid } = sent.metadata;
      if (live === undefined && uid !== undefined) {
        const why = `uid mismatch: the provided object specified uid ${uid}, and no existing object was found`;
        throw conflict(resource.kind, name, why);
      }
      if (live !== undefined && resourceVersion !== undefined && resourceVersion !== live.metadata.resourceVersion) {
        throw staleVersion(resource.kind, name);
      }
      const applied = applicablePart(resource, subresource, sent);
      const { object, conflicts } = await appliedObject(size, {
        live,
        applied,
        schema: resource.kind.schema,
        manager,
        force: force === 'true',
        time: timestamp(server.clock),
        ...(subresource !== undefined && { subresource }),
      });
      if (conflicts.length > 0) throw applyConflict(conflicts);
      return { object: withSentIdentity(object, sent), applied: true, size };
    },
  );
  return { status: created ? 201 : 200, payload: viewOf(server, request).one(stored) };
}

/** The merged object; other requests are served between the steps of a large one. */
async function appliedObject(
  size: number,
  input: Parameters<typeof applyPatch>[0],
): Promise<ReturnType<typeof applyPatch>> {
  if (!isLarge(size)) return applyPatch(input);
  const steps = applySteps(input);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    await nextTurn();
  }
}

/** The object with applied server metadata, such as uid: it has no owner, and validation rejects changes of it. */
function withSentIdentity(object: KubeObject, { metadata: sent }: KubeObject): KubeObject {
  const changed = (['uid', 'selfLink', 'deletionTimestamp', 'deletionGracePeriodSeconds'] as const).filter(
    (field) => sent[field] !== undefined && sent[field] !== object.metadata[field],
  );
  if (changed.length === 0) return object;
  const metadata = { ...object.metadata, ...Object.fromEntries(changed.map((field) => [field, sent[field]])) };
  return { ...object, metadata };
}

/** The applied object without status, which is only applied through its subresource. */
function applicablePart(resource: Resource, subresource: string | undefined, applied: KubeObject): KubeObject {
  if (subresource !== undefined || !hasStatus(resource)) return applied;
  const { status: _, ...rest } = applied as KubeObject & { status?: unknown };
  return rest;
}

/** 409 for an apply that conflicts with other managers. */
export function applyConflict(conflicts: readonly Conflict[]): Error {
  const causes = conflicts.map(({ manager, field }) => ({
    reason: 'FieldManagerConflict',
    message: `conflict with ${manager}`,
    field,
  }));
  return statusError(409, 'Conflict', conflictMessage(conflicts), { causes });
}
