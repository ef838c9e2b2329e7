// SPDX-License-Identifier: Apache-2.0
import type { Deployment } from '@forge/kube/builtin.ts';
import { invalidValue } from '@forge/kube/field-error.ts';
import type { KubeObject } from '@forge/kube/object.ts';
import { formatLabelSelector } from '@forge/kube/selector.ts';
import { mediaTypeOf, patched, patchLanguages } from './patch-language.ts';
import { jsonPayload } from './payload.ts';
import { decodeBody } from './pipeline/decode-body.ts';
import { storedObject } from './read.ts';
import { invalid, staleVersion } from './refusal.ts';
import type { ResourceRequest } from './resource-request.ts';
import type { ServerContext } from './server-context.ts';
import type { ServerResponse } from './server-request.ts';
import { write } from './write-request.ts';

/** How many replicas a workload shall have and has, whatever its kind. */
interface Scale extends KubeObject {
  spec: { replicas?: number };
  status: { replicas: number; selector?: string };
}

/** What all kinds with a scale have in common. */
type Scalable = Pick<Deployment, 'spec' | 'status'> & KubeObject;

/** Answers GET of a workload's scale. */
export function getScale(server: ServerContext, request: ResourceRequest): ServerResponse {
  return { status: 200, payload: jsonPayload(scaleOf(storedObject(server, request).value)) };
}

/** Answers PUT and PATCH of a workload's scale. */
export async function updateScale(server: ServerContext, request: ResourceRequest): Promise<ServerResponse> {
  const { method, headers, name, resource } = request;
  const type = mediaTypeOf(headers['content-type'] ?? 'application/json');
  const body = await decodeBody(
    request.body,
    type,
    method === 'PUT' ? ['application/json'] : Object.keys(patchLanguages),
  );
  const language = patchLanguages[type];
  const { stored } = await write(
    server,
    request,
    () => storedObject(server, request),
    (before) => {
      const scale = scaleOf(before as Scalable);
      const wanted = language === undefined ? body : patched(language, scale, body, {});
      const { metadata, spec } = (wanted ?? {}) as Partial<Scale>;
      const { resourceVersion } = scale.metadata;
      if ((metadata?.resourceVersion ?? resourceVersion) !== resourceVersion) throw staleVersion(resource.kind, name);
      const replicas = spec?.replicas ?? 0;
      if (!Number.isInteger(replicas) || replicas < 0) {
        const problem = invalidValue('spec.replicas', replicas, 'must be greater than or equal to 0');
        throw invalid({ group: 'autoscaling', kind: 'Scale' }, name, [problem]);
      }
      return { object: { ...before, spec: { ...(before as Scalable).spec, replicas } } as unknown as KubeObject };
    },
  );
  return { status: 200, payload: jsonPayload(scaleOf(stored.value)) };
}

function scaleOf({ metadata, spec, status }: Scalable): Scale {
  const { name, namespace, uid, resourceVersion, creationTimestamp } = metadata;
  return {
    kind: 'Scale',
    apiVersion: 'autoscaling/v1',
    metadata: { name, namespace, uid, resourceVersion, creationTimestamp } as KubeObject['metadata'],
    spec: { replicas: spec?.replicas ?? 0 },
    status: {
      replicas: status?.replicas ?? 0,
      ...(spec?.selector !== undefined && { selector: formatLabelSelector(spec.selector) }),
    },
  };
}
