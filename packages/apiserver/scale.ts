// SPDX-License-Identifier: Apache-2.0
import type { Deployment } from '@forge/kube/builtin.ts';
import { invalidValue } from '@forge/kube/field-error.ts';
import type { KubeObject } from '@forge/kube/object.ts';
import { jsonPatch } from '@forge/kube/patch/json-patch.ts';
import { mergePatch } from '@forge/kube/patch/merge-patch.ts';
import { formatLabelSelector } from '@forge/kube/selector.ts';
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
  const type = method === 'PUT' ? 'application/json' : ((headers['content-type'] ?? '').split(';', 1)[0] ?? '');
  const body = await decodeBody(request.body, type, method === 'PUT' ? ['application/json'] : patchTypes);
  const { stored } = await write(
    server,
    request,
    () => storedObject(server, request),
    (before) => {
      const scale = scaleOf(before as Scalable);
      const wanted = (
        type === 'application/json'
          ? body
          : type.startsWith('application/json-patch')
            ? jsonPatch(scale, body)
            : mergePatch(scale, body)
      ) as Scale;
      const { resourceVersion } = wanted.metadata;
      if (resourceVersion !== undefined && resourceVersion !== scale.metadata.resourceVersion)
        throw staleVersion(resource.kind, name);
      const { replicas = 0 } = wanted.spec;
      if (replicas < 0) {
        const problem = invalidValue('spec.replicas', replicas, 'must be greater than or equal to 0');
        throw invalid({ group: 'autoscaling', kind: 'Scale' }, name, [problem]);
      }
      return { object: { ...before, spec: { ...(before as Scalable).spec, replicas } } as unknown as KubeObject };
    },
  );
  return { status: 200, payload: jsonPayload(scaleOf(stored.value)) };
}

// The strategic merge of a Scale is a plain merge: it has no lists.
const patchTypes = [
  'application/json-patch+json',
  'application/merge-patch+json',
  'application/strategic-merge-patch+json',
];

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
