// SPDX-License-Identifier: Apache-2.0
import { errorsOfEach, forbidden, invalidValue, type FieldError } from '@forge/kube/errors/field-error.ts';
import type { ObjectMeta } from '@forge/kube/objects/object.ts';
import { qualifiedNameProblems } from '../formats/names.ts';

/** Kubernetes' own finalizers, which need no prefix. */
export const standardFinalizers: readonly string[] = ['kubernetes', 'orphan', 'foregroundDeletion'];

/** Validates the names of finalizers, and their exclusions. */
export function validateFinalizers({ finalizers = [] }: ObjectMeta): FieldError[] {
  const problems = errorsOfEach(finalizers, (each) =>
    qualifiedNameProblems(each).map((problem) => invalidValue('metadata.finalizers', each, problem)),
  );
  return [...problems, ...validatePropagation(finalizers)];
}

/** Finalizers without a prefix must be Kubernetes' own. */
export function validateBareFinalizers({ finalizers = [] }: ObjectMeta): FieldError[] {
  const detail = 'name is neither a standard finalizer name nor is it fully qualified';
  return errorsOfEach(finalizers, (finalizer, index) =>
    finalizer.includes('/') || standardFinalizers.includes(finalizer)
      ? []
      : [invalidValue(`metadata.finalizers[${index}]`, finalizer, detail)],
  );
}

function validatePropagation(finalizers: readonly string[]): FieldError[] {
  if (!finalizers.includes('orphan') || !finalizers.includes('foregroundDeletion')) return [];
  const detail = 'finalizer orphan and foregroundDeletion cannot be both set';
  return [invalidValue('metadata.finalizers', finalizers, detail)];
}

/** Rejects new finalizers on a terminating object. */
export function validateNoNewFinalizers(finalizers: readonly string[], before: ObjectMeta): FieldError[] {
  if (before.deletionTimestamp === undefined) return [];
  const known = new Set(before.finalizers);
  const added = finalizers.filter((finalizer) => !known.has(finalizer));
  if (added.length === 0) return [];
  const list = added
    .toSorted()
    .map((finalizer) => JSON.stringify(finalizer))
    .join(', ');
  const detail = `no new finalizers can be added if the object is being deleted, found new finalizers []string{${list}}`;
  return [forbidden('metadata.finalizers', detail)];
}
