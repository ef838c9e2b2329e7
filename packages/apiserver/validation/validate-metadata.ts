// SPDX-License-Identifier: Apache-2.0
import { forbidden, invalidValue, required, tooLong, type FieldError } from '@forge/kube/field-error.ts';
import type { Kind } from '@forge/kube/kind.ts';
import type { KubeObject, ObjectMeta, OwnerReference } from '@forge/kube/object.ts';
import { Inspection } from './inspection.ts';
import { dnsLabelProblem, pathSegmentProblem, qualifiedNameProblem, subdomainProblem } from './names.ts';
import { labels } from './selector-rules.ts';

/** The rules that the metadata of every kind obey. */
export function validateMetadata(kind: Kind, { metadata }: KubeObject, before: KubeObject | undefined): FieldError[] {
  return [
    ...(before === undefined ? validateName(kind, metadata) : validateSameName(metadata, before.metadata)),
    ...validateLabels(metadata.labels),
    ...validateAnnotations(metadata.annotations ?? {}),
    ...validateOwners(metadata.ownerReferences ?? []),
    ...validateFinalizers(metadata.finalizers ?? [], before?.metadata),
  ];
}

function validateName({ kind, group }: Kind, metadata: ObjectMeta): FieldError[] {
  const name = metadata.name as string | undefined;
  if (name === undefined || name === '') return [required('metadata.name', 'name or generateName is required')];
  const problem = nameRule(kind, group)(name);
  return problem === undefined ? [] : [invalidValue('metadata.name', name, problem)];
}

/** Only webhooks can give an object another name on its way. */
function validateSameName({ name }: ObjectMeta, before: ObjectMeta): FieldError[] {
  return name === before.name ? [] : [invalidValue('metadata.name', name, 'field is immutable')];
}

function nameRule(kind: string, group: string): (name: string) => string | undefined {
  if (group === 'rbac.authorization.k8s.io') return pathSegmentProblem;
  return kind === 'Namespace' || kind === 'Service' ? dnsLabelProblem : subdomainProblem;
}

function validateLabels(given: ObjectMeta['labels']): FieldError[] {
  const inspection = new Inspection();
  inspection.inside('metadata.labels', given, labels);
  return inspection.errors;
}

const maximumAnnotations = 256 * 1024;

function validateAnnotations(annotations: Readonly<Record<string, string>>): FieldError[] {
  const errors: FieldError[] = [];
  let size = 0;
  for (const key in annotations) {
    size += Buffer.byteLength(key) + Buffer.byteLength(annotations[key] ?? '');
    // Keys of annotations may have capitals in their prefix, unlike those of labels.
    errors.push(...toError('metadata.annotations', key, qualifiedNameProblem(key.toLowerCase())));
  }
  return size > maximumAnnotations ? [...errors, tooLong('metadata.annotations', maximumAnnotations)] : errors;
}

function validateOwners(owners: readonly OwnerReference[]): FieldError[] {
  const errors = owners.flatMap((owner, index) =>
    (['apiVersion', 'kind', 'name', 'uid'] as const)
      .filter((field) => ((owner[field] as string | undefined) ?? '') === '')
      .map((field) => invalidValue(`metadata.ownerReferences[${index}].${field}`, '', `${field} must not be empty`)),
  );
  const controllers = owners.filter(({ controller }) => controller === true);
  if (controllers.length < 2) return errors;
  const names = controllers.map(({ name, kind }) => `${kind}/${name}`).join(' and ');
  const detail = `Only one reference can have Controller set to true. Found "true" in references for ${names}`;
  return [...errors, invalidValue('metadata.ownerReferences', owners, detail)];
}

function validateFinalizers(finalizers: readonly string[], before: ObjectMeta | undefined): FieldError[] {
  const errors = finalizers.flatMap((finalizer, index) =>
    toError(`metadata.finalizers[${index}]`, finalizer, qualifiedNameProblem(finalizer)),
  );
  if (before?.deletionTimestamp === undefined) return errors;
  const added = finalizers.filter((finalizer) => before.finalizers?.includes(finalizer) !== true);
  if (added.length === 0) return errors;
  const list = added.map((finalizer) => JSON.stringify(finalizer)).join(', ');
  const detail = `no new finalizers can be added if the object is being deleted, found new finalizers []string{${list}}`;
  return [...errors, forbidden('metadata.finalizers', detail)];
}

function toError(field: string, value: unknown, problem: string | undefined): FieldError[] {
  return problem === undefined ? [] : [invalidValue(field, value, problem)];
}
