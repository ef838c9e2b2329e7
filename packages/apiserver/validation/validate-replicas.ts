// SPDX-License-Identifier: Apache-2.0
import { invalidValue, type FieldError } from '@forge/kube/errors/field-error.ts';
import type { CustomResourceSubresourceScale } from '@forge/kube/generated/types.ts';
import type { KubeObject } from '@forge/kube/objects/object.ts';
import { valueAt } from '../resources/scale-of.ts';

const most = 2 ** 31 - 1;

/** Validates the replicas of a custom resource with a scale subresource. */
export function validateReplicas(object: KubeObject, scale: CustomResourceSubresourceScale): FieldError[] {
  return [scale.specReplicasPath, scale.statusReplicasPath].flatMap((path) => {
    const replicas = valueAt(object, path);
    if (typeof replicas !== 'number') return [];
    if (replicas < 0) return [invalidValue(path, replicas, 'should be a non-negative integer')];
    return replicas > most ? [invalidValue(path, replicas, `should be less than or equal to ${most}`)] : [];
  });
}
