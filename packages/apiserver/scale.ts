// SPDX-License-Identifier: Apache-2.0
import { type FieldError, invalidValue } from '@forge/kube/field-error.ts';
import type { CustomResourceSubresourceScale, LabelSelector } from '@forge/kube/generated/types.ts';
import { isObject, type JsonObject } from '@forge/kube/json.ts';
import type { KubeObject } from '@forge/kube/object.ts';
import { trackScale } from '@forge/kube/patch/track-scale.ts';
import { formatLabelSelector } from '@forge/kube/selector.ts';
import { mediaTypeOf, patched, patchLanguages, patchTypesOf } from './patch-language.ts';
import { jsonPayload } from './payload.ts';
import { decodeBody } from './pipeline/decode-body.ts';
import { storedObject } from './read.ts';
import { badRequest, internalError, invalid, staleVersion } from './refusal.ts';
import type { ResourceRequest } from './resource-request.ts';
import type { ServerContext } from './server-context.ts';
import type { ServerResponse } from './server-request.ts';
import { managerOf, write } from './write-request.ts';

/** How many replicas a workload shall have and has, whatever its kind. */
interface Scale extends KubeObject {
  spec: { replicas?: number };
  status: { replicas: number; selector?: string };
}

/** Where workloads keep their scale. */
const workloadPaths: CustomResourceSubresourceScale = {
  specReplicasPath: '.spec.replicas',
  statusReplicasPath: '.status.replicas',
  labelSelectorPath: '.spec.selector',
};

const most = 2 ** 31 - 1;

/** Stands for replicas nobody has set while a custom resource's scale is patched; the smallest number of 32 bits. */
const unset = -(2 ** 31);

/** Answers GET of an object's scale. */
export function getScale(server: ServerContext, request: ResourceRequest): ServerResponse {
  const { value } = storedObject(server, request);
  const { scale } = request.resource.strategy;
  if (scale !== undefined && valueAt(value, scale.specReplicasPath) === undefined) {
    throw internalError(`the spec replicas field "${scale.specReplicasPath}" does not exist`);
  }
  return { status: 200, payload: jsonPayload(scaleOf(value, scale)) };
}

/** Answers PUT and PATCH of an object's scale. */
export async function updateScale(server: ServerContext, request: ResourceRequest): Promise<ServerResponse> {
  const { method, headers, name, resource } = request;
  const type = mediaTypeOf(headers['content-type'] ?? 'application/json');
  const body = await decodeBody(request.body, type, method === 'PUT' ? ['application/json'] : patchTypesOf(resource));
  const language = patchLanguages[type];
  const paths = resource.strategy.scale;
  const { stored } = await write(
    server,
    request,
    () => storedObject(server, request),
    (before) => {
      const scale = scaleOf(before as KubeObject, paths, paths && unset);
      const wanted = language === undefined ? body : patched(language, scale, body, {});
      const { metadata, spec } = (wanted ?? {}) as Partial<Scale>;
      const { resourceVersion } = scale.metadata;
      if ((metadata?.resourceVersion ?? resourceVersion) !== resourceVersion) throw staleVersion(resource.kind, name);
      const replicas = spec?.replicas ?? 0;
      const { specReplicasPath } = paths ?? workloadPaths;
      if (replicas === unset) throw badRequest(`the spec replicas field "${specReplicasPath}" cannot be empty`);
      // A custom resource is asked about its replicas as a whole.
      if (!Number.isInteger(replicas) || (replicas < 0 && !resource.custom)) {
        const problem = invalidValue('spec.replicas', replicas, 'must be greater than or equal to 0');
        throw invalid({ group: 'autoscaling', kind: 'Scale' }, name, [problem]);
      }
      if (replicas === valueAt(before, specReplicasPath)) return { object: before as KubeObject };
      const path = stepsOf(specReplicasPath);
      const scaled = withValue({ ...before }, path, replicas) as unknown as KubeObject;
      return { object: trackScale(scaled, { manager: managerOf(request), replicas, path }), applied: true };
    },
  );
  return { status: 200, payload: jsonPayload(scaleOf(stored.value, paths)) };
}

function scaleOf(object: KubeObject, paths = workloadPaths, none = 0): Scale {
  const { name, namespace, uid, resourceVersion, creationTimestamp } = object.metadata;
  const { specReplicasPath, statusReplicasPath, labelSelectorPath = '' } = paths;
  const replicas = (valueAt(object, specReplicasPath) as number | undefined) ?? none;
  const selector = valueAt(object, labelSelectorPath) as LabelSelector | string | undefined;
  return {
    kind: 'Scale',
    apiVersion: 'autoscaling/v1',
    metadata: { name, namespace, uid, resourceVersion, creationTimestamp } as KubeObject['metadata'],
    spec: replicas === 0 ? {} : { replicas },
    status: {
      replicas: (valueAt(object, statusReplicasPath) as number | undefined) ?? 0,
      ...(selector && { selector: typeof selector === 'string' ? selector : formatLabelSelector(selector) }),
    },
  };
}

/** What is wrong with the replicas of a custom resource with a scale. */
export function validateReplicas(object: KubeObject, scale: CustomResourceSubresourceScale): FieldError[] {
  return [scale.specReplicasPath, scale.statusReplicasPath].flatMap((path) => {
    const replicas = valueAt(object, path);
    if (typeof replicas !== 'number') return [];
    if (replicas < 0) return [invalidValue(path, replicas, 'should be a non-negative integer')];
    return replicas > most ? [invalidValue(path, replicas, `should be less than or equal to ${most}`)] : [];
  });
}

/** The fields on the way that a path of dots describes. */
function stepsOf(path: string): string[] {
  return path.replace(/^\./, '').split('.');
}

function valueAt(object: unknown, path: string): unknown {
  return stepsOf(path).reduce((value, step) => (isObject(value) ? value[step] : undefined), object);
}

function withValue(object: JsonObject, [step = '', ...rest]: readonly string[], value: unknown): JsonObject {
  const inner = object[step];
  return { ...object, [step]: rest.length === 0 ? value : withValue(isObject(inner) ? inner : {}, rest, value) };
}
