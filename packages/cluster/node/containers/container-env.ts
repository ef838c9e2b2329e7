// SPDX-License-Identifier: Apache-2.0
import type { Container, EnvVar } from '@forge/kube/generated/types.ts';
import type { Pod } from '@forge/kube/kinds/builtin.ts';
import { setField } from '@forge/kube/objects/json.ts';
import { ContainerConfigError } from '../references/container-config-error.ts';
import { containerResource } from '../references/container-resource.ts';
import { expand } from '../references/expand.ts';
import { podField } from '../references/pod-field.ts';
import { contentOf, valueOf, type PodObjects } from '../references/pod-objects.ts';

/** The inputs of a container's environment. */
export interface EnvInputs {
  pod: Pod;
  container: Container;
  podIP: string;
  objects: PodObjects;
  /** Values of the image and the cluster, which the pod overrides. */
  defaults: Readonly<Record<string, string>>;
}

/** The environment of a container; throws {@link ContainerConfigError} when a reference is missing. */
export function containerEnv({ pod, container, podIP, objects, defaults }: EnvInputs): Record<string, string> {
  const env: Record<string, string> = { ...defaults };
  for (const { configMapRef, secretRef, prefix = '' } of container.envFrom ?? []) {
    const [kind, source] = configMapRef ? (['ConfigMap', configMapRef] as const) : (['Secret', secretRef] as const);
    const content = contentOf(objects, { kind, name: source?.name ?? '' }, source?.optional);
    for (const [key, value] of content ?? []) setField(env, prefix + key, value.toString());
  }
  for (const variable of container.env ?? []) {
    const value = valueFor(variable, { pod, container, podIP, objects }, env);
    if (value !== undefined) setField(env, variable.name, value);
  }
  return env;
}

function valueFor(
  { name, value, valueFrom }: EnvVar,
  { pod, container, podIP, objects }: Omit<EnvInputs, 'defaults'>,
  earlier: Readonly<Record<string, string>>,
): string | undefined {
  if (valueFrom === undefined) return expand(value ?? '', earlier);
  const { configMapKeyRef, secretKeyRef, fieldRef, resourceFieldRef } = valueFrom;
  if (fieldRef) return podField(pod, podIP, fieldRef.fieldPath);
  if (resourceFieldRef) return containerResource(pod, container, resourceFieldRef);
  const [kind, reference] = configMapKeyRef
    ? (['ConfigMap', configMapKeyRef] as const)
    : (['Secret', secretKeyRef] as const);
  if (!reference)
    throw new ContainerConfigError(
      `the node does not support the source of variable ${name}: ${Object.keys(valueFrom).join(', ')}`,
    );
  return valueOf(objects, { kind, name: reference.name ?? '' }, reference.key, reference.optional)?.toString();
}
