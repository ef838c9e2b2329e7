// SPDX-License-Identifier: Apache-2.0
import { type FieldError, invalidValue } from '@forge/kube/errors/field-error.ts';
import { fieldOf } from '@forge/kube/objects/json.ts';
import type { KubeObject } from '@forge/kube/objects/object.ts';
import { applyPatch } from '@forge/kube/patch/apply.ts';
import type { Writer } from '@forge/kube/patch/managers.ts';
import { withManagersOf, withScaleManagers } from '@forge/kube/patch/scale-managers.ts';
import { trackUpdate } from '@forge/kube/patch/track-update.ts';
import type { Schema } from '@forge/kube/schema/schema.ts';
import { timestamp } from '@forge/runtime/environment/clock.ts';
import { decodeBody } from '../encoding/decode-body.ts';
import { mediaTypeOf, patched, patchFunctions, patchTypesOf } from '../encoding/patch-types.ts';
import { jsonPayload } from '../messages/payload.ts';
import type { ServerResponse } from '../messages/server-request.ts';
import {
  badRequest,
  conflict,
  errorWithoutReason,
  invalid,
  internalError,
  staleVersion,
} from '../messages/status-errors.ts';
import { checkUid } from '../pipeline/check-preconditions.ts';
import type { ResourceRequest } from '../request/resource-request.ts';
import type { ServerContext } from '../request/server-context.ts';
import { checkWriteOptions, managerOf } from '../request/write-options.ts';
import type { Resource } from '../resources/resource.ts';
import { scaleOf, pathSegments, valueAt, withReplicas, workloadPaths, type Scale } from '../resources/scale-of.ts';
import { applyConflict, applyType } from '../verbs/apply.ts';
import { readApplied } from '../verbs/read-applied.ts';
import { storedObject } from '../verbs/read.ts';
import { write } from '../verbs/write-request.ts';

/** Marks unset replicas while a custom resource's scale is patched; the smallest int32. */
const unset = -(2 ** 31);

/** Handles GET of the scale subresource. */
export function getScale(server: ServerContext, request: ResourceRequest): ServerResponse {
  const { resource } = request;
  const { value } = resource.toServed(storedObject(server, request));
  const { scale } = resource.strategy;
  if (scale !== undefined && valueAt(value, scale.specReplicasPath) === undefined) {
    throw internalError(`the spec replicas field "${scale.specReplicasPath}" does not exist`);
  }
  return { status: 200, payload: jsonPayload(scaleOf(value, scale)) };
}

/** Handles PUT and PATCH of the scale subresource. */
export async function updateScale(server: ServerContext, request: ResourceRequest): Promise<ServerResponse> {
  const { method, headers, resource, query } = request;
  const type = mediaTypeOf(headers['content-type'] ?? 'application/json');
  const isApply = type === applyType;
  checkWriteOptions(method === 'PUT' ? 'update' : isApply ? 'apply' : 'patch', query);
  const accepted = method === 'PUT' ? undefined : [...patchTypesOf(resource), applyType];
  const { value: body } = await decodeBody(request, accepted);
  const paths = resource.strategy.scale ?? workloadPaths;
  const path = pathSegments(paths.specReplicasPath);
  const { stored } = await write(
    server,
    request,
    () => storedObject(server, request),
    (found) => {
      const before = found as KubeObject;
      const { metadata } = (body ?? {}) as Partial<Scale>;
      if (method === 'PUT') checkUid(request, metadata?.uid, before.metadata.uid);
      const live = withManagersOf(before, path, scaleOf(before, paths, resource.custom ? unset : 0));
      const writer = { manager: managerOf(request), time: timestamp(server.clock), subresource: 'scale' };
      const scale = isApply
        ? appliedScale(live, body, { ...writer, force: query['force'] === 'true', resource })
        : updatedScale(live, wantedScale(live, body, type, request), writer);
      const replicas = (scale as Partial<Scale>).spec?.replicas ?? 0;
      if (replicas === unset) throw badRequest(`the spec replicas field "${paths.specReplicasPath}" cannot be empty`);
      // The replicas of custom resources are validated with the whole object.
      if (replicas < 0 && !resource.custom) throw invalid(scaleKind, request.name, [negative(replicas)]);
      const isSame = replicas === valueAt(before, paths.specReplicasPath);
      const scaled = isSame ? before : withReplicas(before, path, replicas);
      return { object: withScaleManagers(scaled, path, scale), applied: true };
    },
  );
  return { status: 200, payload: jsonPayload(scaleOf(resource.toServed(stored).value, paths)) };
}

const scaleKind = { group: 'autoscaling', kind: 'Scale', apiVersion: 'autoscaling/v1' };

const count: Schema = { type: 'integer', format: 'int32' };
const scaleSchema: Schema = {
  type: 'object',
  properties: {
    spec: { type: 'object', properties: { replicas: count } },
    status: { type: 'object', properties: { replicas: count, selector: { type: 'string' } } },
  },
};

/** The Scale with the applied replicas and managedFields. */
function appliedScale(
  live: Scale,
  body: unknown,
  { resource, ...writer }: Writer & { force: boolean; resource: Resource },
): KubeObject {
  const applied = readApplied(body, { ...scaleKind, schema: scaleSchema });
  checkScaleUid(live, applied.metadata.uid, resource);
  const { object, conflicts } = applyPatch({ live, applied, schema: scaleSchema, ...writer });
  if (conflicts.length > 0) throw applyConflict(conflicts);
  const { namespace = '', name } = live.metadata;
  if (!resource.custom || (object as Scale).spec.replicas === live.spec.replicas) return object;
  // kube-apiserver cannot convert a Scale to a version of the custom resource.
  const { apiVersion } = scaleKind;
  throw errorWithoutReason(
    `failed to convert new object (${namespace}/${name}; ${apiVersion}, Kind=Scale) to proper version: request to convert CR to an invalid group/version: ${apiVersion}`,
  );
}

/** The replicas that a body asks for, as a Scale or a patch. */
function wantedScale(live: Scale, body: unknown, type: string, { resource, name }: ResourceRequest): number {
  const language = fieldOf(patchFunctions, type);
  const wanted = language === undefined ? body : patched(language, live, body, scaleSchema);
  const { metadata, spec } = (wanted ?? {}) as Partial<Scale>;
  const { resourceVersion } = live.metadata;
  if (language !== undefined) checkScaleUid(live, metadata?.uid, resource);
  if ((metadata?.resourceVersion ?? resourceVersion) !== resourceVersion) throw staleVersion(resource.kind, name);
  const replicas: unknown = spec?.replicas ?? 0;
  if (typeof replicas === 'number' && replicas === (replicas | 0)) return replicas;
  throw badRequest(
    `Scale in version "v1" cannot be handled as a Scale: json: cannot unmarshal ${jsonTypeOf(replicas)} into Go struct field ScaleSpec.spec.replicas of type int32`,
  );
}

/** Rejects a patched or applied Scale with another uid. */
function checkScaleUid({ metadata }: Scale, uid = '', { kind, custom }: Resource): void {
  if (custom || uid === '' || uid === metadata.uid) return;
  const named = { group: kind.group, plural: `${kind.plural}/scale` };
  const why = `Precondition failed: UID in precondition: ${uid}, UID in object meta: ${metadata.uid}`;
  throw conflict(named, metadata.name, why);
}

function jsonTypeOf(value: unknown): string {
  if (typeof value === 'number') return `number ${value}`;
  if (typeof value === 'boolean') return 'bool';
  return Array.isArray(value) ? 'array' : typeof value;
}

/** The Scale with new replicas, owned by the writer. */
function updatedScale(live: Scale, replicas: number, writer: Writer): KubeObject {
  const after = { ...live, spec: replicas === 0 ? {} : { replicas } };
  return trackUpdate({ before: live, after, schema: scaleSchema, ...writer });
}

function negative(replicas: number): FieldError {
  return invalidValue('spec.replicas', replicas, 'must be greater than or equal to 0');
}
