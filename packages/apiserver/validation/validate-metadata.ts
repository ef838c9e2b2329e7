// SPDX-License-Identifier: Apache-2.0
import { invalidValue, required, tooLong, type FieldError } from '@forge/kube/field-error.ts';
import type { Kind } from '@forge/kube/kind.ts';
import type { ObjectMeta } from '@forge/kube/object.ts';
import { Inspection } from './inspection.ts';
import { dnsLabelProblem, pathSegmentProblem, qualifiedNameProblems, subdomainProblem } from './names.ts';
import { labels } from './selector-rules.ts';
import { validateBareFinalizers, validateFinalizers, validateNoNewFinalizers } from './validate-finalizers.ts';
import { validateOwners } from './validate-owners.ts';

/** Whose metadata are checked. */
interface Subject {
  readonly kind: Kind;
  readonly custom: boolean;
  readonly subresource: string | undefined;
}

/** The rules that metadata obey: for all kinds alike, and for each kind again. A real server reports what breaks both twice. */
export function validateMetadata(subject: Subject, metadata: ObjectMeta, before: ObjectMeta | undefined): FieldError[] {
  const checks = checksOf(subject);
  const own = subject.custom || bareFinalizers.has(subject.kind.kind) ? [] : validateBareFinalizers(metadata);
  const whole = (): FieldError[] => [...validateWhole(nameRule(subject.kind), metadata), ...own];
  if (before === undefined) return checks.length === 0 ? validateWhole(pathSegmentProblem, metadata) : whole();
  const change = validateChange(metadata, before);
  return [
    ...validateWhole(pathSegmentProblem, metadata),
    ...change,
    ...checks.flatMap((check) => (check === 'whole' ? whole() : [...change, ...own])),
  ];
}

type Check = 'whole' | 'change';

/** How each kind checks changed metadata, in order; those that are not named here look at what has changed. */
const checks: Readonly<Record<string, readonly Check[]>> = {
  ClusterRole: ['whole', 'change'],
  ClusterRoleBinding: ['whole', 'change'],
  ConfigMap: ['change', 'whole'],
  EndpointSlice: ['whole'],
  Event: [],
  Job: ['whole', 'change'],
  MutatingWebhookConfiguration: ['whole'],
  Namespace: ['whole', 'change'],
  Node: ['whole', 'change'],
  PersistentVolume: ['whole', 'whole'],
  PersistentVolumeClaim: ['change', 'whole'],
  Pod: ['change', 'whole'],
  PodDisruptionBudget: [],
  Role: ['whole', 'change'],
  RoleBinding: ['whole', 'change'],
  Secret: ['change', 'whole'],
  ServiceAccount: ['change', 'whole'],
  StorageClass: ['whole', 'change'],
  ValidatingWebhookConfiguration: ['whole'],
};

function checksOf({ kind, custom, subresource }: Subject): readonly Check[] {
  return custom || subresource !== undefined ? ['change'] : (checks[kind.kind] ?? ['change']);
}

/** Built-in kinds whose finalizers need no prefix. */
const bareFinalizers: ReadonlySet<string> = new Set([
  'CustomResourceDefinition',
  'Event',
  'Lease',
  'MutatingWebhookConfiguration',
  'PodDisruptionBudget',
  'ValidatingWebhookConfiguration',
]);

type NameRule = (name: string) => string | undefined;

function validateWhole(rule: NameRule, metadata: ObjectMeta): FieldError[] {
  return [...validateName(rule, metadata), ...validateContents(metadata), ...validateFinalizers(metadata)];
}

function validateChange(metadata: ObjectMeta, before: ObjectMeta): FieldError[] {
  const isChanged = (field: keyof ObjectMeta): boolean => metadata[field] !== before[field];
  return [
    ...validateNoNewFinalizers(metadata.finalizers ?? [], before),
    ...(['name', 'uid', 'deletionTimestamp', 'deletionGracePeriodSeconds'] as const)
      .filter(isChanged)
      .map((field) => invalidValue(`metadata.${field}`, metadata[field], 'field is immutable')),
    ...validateContents(metadata),
  ];
}

function validateContents({ labels: given, annotations = {}, ownerReferences = [] }: ObjectMeta): FieldError[] {
  return [...validateLabels(given), ...validateAnnotations(annotations), ...validateOwners(ownerReferences)];
}

function validateName(rule: NameRule, { name, generateName = '' }: ObjectMeta): FieldError[] {
  // Something follows the beginning of a name, so that it may end in a dash.
  const beginning = generateName.replace(/(?<=.)-$/, 'a');
  const generated = generateName === '' ? [] : toError('metadata.generateName', generateName, rule(beginning));
  if (((name as string | undefined) ?? '') === '') {
    return [...generated, required('metadata.name', 'name or generateName is required')];
  }
  return [...generated, ...toError('metadata.name', name, rule(name))];
}

/** Kinds whose names become labels of host names. */
const labelNames: ReadonlySet<string> = new Set(['Namespace', 'Service', 'StatefulSet']);

function nameRule({ kind, group }: Kind): NameRule {
  if (group === 'rbac.authorization.k8s.io') return pathSegmentProblem;
  return labelNames.has(kind) ? dnsLabelProblem : subdomainProblem;
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
    const problems = qualifiedNameProblems(key.toLowerCase());
    errors.push(...problems.map((problem) => invalidValue('metadata.annotations', key, problem)));
  }
  return size > maximumAnnotations ? [...errors, tooLong('metadata.annotations', maximumAnnotations)] : errors;
}

function toError(field: string, value: unknown, problem: string | undefined): FieldError[] {
  return problem === undefined ? [] : [invalidValue(field, value, problem)];
}
