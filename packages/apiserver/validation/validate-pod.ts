// SPDX-License-Identifier: Apache-2.0
import type { Pod } from '@forge/kube/builtin.ts';
import { duplicate, forbidden, invalidValue, required, type FieldError } from '@forge/kube/field-error.ts';
import type { Container, PodSpec } from '@forge/kube/generated/types.ts';
import { jsonEqual } from '@forge/kube/json.ts';
import { notFoundValue } from './field-error.ts';
import { dnsLabelProblem } from './names.ts';

/** A pod's containers are named, have an image and mount volumes that exist; what runs does not change. */
export function validatePod({ spec }: Pod, before: Pod | undefined): FieldError[] {
  if (spec === undefined) return [required('spec')];
  if (before?.spec === undefined) return validatePodSpec(spec, 'spec');
  return jsonEqual(fixedPart(spec), fixedPart(before.spec)) ? [] : [forbidden('spec', onlyThese)];
}

/** The rules of a pod's spec, wherever it stands. */
export function validatePodSpec(spec: PodSpec, field: string): FieldError[] {
  const volumes = new Set((spec.volumes ?? []).map(({ name }) => name));
  const seen = new Set<string>();
  const errors: FieldError[] = spec.containers.length === 0 ? [required(`${field}.containers`)] : [];
  for (const [list, containers] of Object.entries({
    initContainers: spec.initContainers ?? [],
    containers: spec.containers,
  })) {
    for (const [index, container] of containers.entries()) {
      errors.push(...validateContainer(container, `${field}.${list}[${index}]`, volumes, seen));
    }
  }
  return errors;
}

function validateContainer(
  container: Container,
  field: string,
  volumes: ReadonlySet<string>,
  seen: Set<string>,
): FieldError[] {
  const errors: FieldError[] = [];
  const problem = dnsLabelProblem(container.name);
  if (problem !== undefined) errors.push(invalidValue(`${field}.name`, container.name, problem));
  if (seen.has(container.name)) errors.push(duplicate(`${field}.name`, container.name));
  seen.add(container.name);
  if ((container.image ?? '') === '') errors.push(required(`${field}.image`));
  for (const [index, mount] of (container.volumeMounts ?? []).entries()) {
    if (!volumes.has(mount.name)) errors.push(notFoundValue(`${field}.volumeMounts[${index}].name`, mount.name));
  }
  return errors;
}

const changeable = new Set(['activeDeadlineSeconds', 'tolerations', 'terminationGracePeriodSeconds']);

/** What of a pod's spec stays as it is: all but images, tolerations and deadlines. */
function fixedPart(spec: PodSpec): object {
  return {
    ...Object.fromEntries(Object.entries(spec).filter(([field]) => !changeable.has(field))),
    containers: spec.containers.map(withoutImage),
    initContainers: (spec.initContainers ?? []).map(withoutImage),
  };
}

function withoutImage(container: Container): object {
  return { ...container, image: '' };
}

const onlyThese =
  'pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)';
