// SPDX-License-Identifier: Apache-2.0
import type { CustomResourceSubresourceScale, LabelSelector } from '@forge/kube/generated/types.ts';
import { isObject, type JsonObject } from '@forge/kube/objects/json.ts';
import type { KubeObject } from '@forge/kube/objects/object.ts';
import { formatLabelSelector } from '@forge/kube/selectors/selector.ts';
import type { Resource } from './resource.ts';

/** The autoscaling/v1 Scale of a workload. */
export interface Scale extends KubeObject {
  spec: { replicas?: number };
  status: { replicas: number; selector?: string };
}

/** Scale paths of built-in workloads. */
export const workloadPaths: CustomResourceSubresourceScale = {
  specReplicasPath: '.spec.replicas',
  statusReplicasPath: '.status.replicas',
  labelSelectorPath: '.spec.selector',
};

/** The scale of an object. */
export function scaleOf(object: KubeObject, paths = workloadPaths, none = 0): Scale {
  const { name, namespace, uid, resourceVersion, creationTimestamp } = object.metadata;
  const { specReplicasPath, statusReplicasPath, labelSelectorPath = '' } = paths;
  const replicas = (valueAt(object, specReplicasPath) as number | undefined) ?? none;
  const selector = selectorAt(object, labelSelectorPath);
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

function selectorAt(object: KubeObject, path: string): LabelSelector | string | undefined {
  const selector = valueAt(object, path);
  // The selector of a ReplicationController is a plain map of labels.
  const isMap = object.kind === 'ReplicationController' && selector !== undefined;
  return (isMap ? { matchLabels: selector } : selector) as LabelSelector | string | undefined;
}

/** The object with the replicas of this Scale. */
export function withScale(object: KubeObject, scale: KubeObject, { strategy }: Resource): KubeObject {
  const { specReplicasPath } = strategy.scale ?? workloadPaths;
  return withReplicas(object, pathSegments(specReplicasPath), (scale as Scale).spec.replicas ?? 0);
}

/** The object with the replicas at this path set. */
export function withReplicas(object: KubeObject, path: readonly string[], replicas: number): KubeObject {
  return withValue({ ...object }, path, replicas) as unknown as KubeObject;
}

/** The segments of a dotted path. */
export function pathSegments(path: string): string[] {
  return path.replace(/^\./, '').split('.');
}

/** The value at a dotted path. */
export function valueAt(object: unknown, path: string): unknown {
  return pathSegments(path).reduce((value, step) => (isObject(value) ? value[step] : undefined), object);
}

function withValue(object: JsonObject, [step = '', ...rest]: readonly string[], value: unknown): JsonObject {
  const inner = object[step];
  return { ...object, [step]: rest.length === 0 ? value : withValue(isObject(inner) ? inner : {}, rest, value) };
}
