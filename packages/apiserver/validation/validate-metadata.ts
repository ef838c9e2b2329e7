// SPDX-License-Identifier: Apache-2.0
import { invalidValue, isFull, required, tooLong, type FieldError } from '@forge/kube/errors/field-error.ts';
import { Event } from '@forge/kube/kinds/builtin.ts';
import type { Kind } from '@forge/kube/kinds/kind.ts';
import type { ObjectMeta } from '@forge/kube/objects/object.ts';
import { addressNameProblem } from '../formats/address-problem.ts';
import { dnsLabelProblem, pathSegmentProblem, qualifiedNameProblems, subdomainProblem } from '../formats/names.ts';
import { Inspection } from './inspection.ts';
import { labels } from './selector-rules.ts';
import { validateBareFinalizers, validateFinalizers, validateNoNewFinalizers } from './validate-finalizers.ts';
import { validateOwners } from './validate-owners.ts';

/** The owner of validated metadata. */
interface Subject {
  readonly kind: Kind;
  readonly custom: boolean;
  readonly subresource: string | undefined;
}

/** Validates metadata: generic rules, and per kind again. kube-apiserver reports errors of both twice. */
export function validateMetadata(subject: Subject, metadata: ObjectMeta, before: ObjectMeta | undefined): FieldError[] {
  const checks = checksOf(subject);
  const own = subject.custom || isBare(subject.kind) ? [] : validateBareFinalizers(metadata);
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

/** How kinds validate updated metadata; all others validate changes only. */
const checks: Readonly<Record<string, readonly Check[]>> = {
  CSINode: ['whole'],
  CertificateSigningRequest: ['whole', 'change'],
  ClusterRole: ['whole', 'change'],
  ClusterRoleBinding: ['whole', 'change'],
  ConfigMap: ['change', 'whole'],
  ControllerRevision: ['change', 'whole'],
  DeviceClass: ['whole', 'change'],
  EndpointSlice: ['whole'],
  Endpoints: ['change', 'whole'],
  Event: [],
  'events.k8s.io/v1/Event': ['change'],
  IPAddress: ['whole', 'change'],
  Ingress: ['change', 'whole'],
  IngressClass: ['change', 'whole'],
  Job: ['whole', 'change'],
  MutatingWebhookConfiguration: ['whole'],
  Namespace: ['whole', 'change'],
  Node: ['whole', 'change'],
  PersistentVolume: ['whole', 'whole'],
  PersistentVolumeClaim: ['change', 'whole'],
  Pod: ['change', 'whole'],
  PodDisruptionBudget: [],
  ResourceClaim: ['whole', 'change'],
  ResourceClaimTemplate: ['whole', 'change'],
  Role: ['whole', 'change'],
  RoleBinding: ['whole', 'change'],
  Secret: ['change', 'whole'],
  ServiceAccount: ['change', 'whole'],
  StorageClass: ['whole', 'change'],
  ValidatingAdmissionPolicy: ['whole'],
  ValidatingAdmissionPolicyBinding: ['whole'],
  ValidatingWebhookConfiguration: ['whole'],
  VolumeAttachment: ['whole'],
  VolumeAttributesClass: ['change', 'whole'],
};

function checksOf({ kind, custom, subresource }: Subject): readonly Check[] {
  return custom || subresource !== undefined
    ? ['change']
    : (checks[`${kind.apiVersion}/${kind.kind}`] ?? checks[kind.kind] ?? ['change']);
}

/** Built-in kinds that accept finalizers without a prefix. */
const bareFinalizers: ReadonlySet<string> = new Set([
  'CustomResourceDefinition',
  'Lease',
  'MutatingWebhookConfiguration',
  'PodDisruptionBudget',
  'ValidatingAdmissionPolicy',
  'ValidatingAdmissionPolicyBinding',
  'ValidatingWebhookConfiguration',
]);

function isBare(kind: Kind): boolean {
  return kind === Event || bareFinalizers.has(kind.kind);
}

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
  // A generateName may end with a dash, since a suffix follows.
  const beginning = generateName.replace(/(?<=.)-$/, 'a');
  const isUnchecked = generateName === '' || rule === byteNameProblem;
  const generated = isUnchecked ? [] : toError('metadata.generateName', generateName, rule(beginning));
  if (((name as string | undefined) ?? '') === '') {
    return [...generated, required('metadata.name', 'name or generateName is required')];
  }
  return [...generated, ...toError('metadata.name', name, rule(name))];
}

/** Kinds whose names must be DNS labels. */
const labelNames: ReadonlySet<string> = new Set(['Namespace', 'Service', 'StatefulSet']);

/** Kinds whose names kube-apiserver validates by a newer rule: in bytes, and without generateName. */
const byteNames: ReadonlySet<string> = new Set(['DeviceClass', 'ReplicationController']);

function byteNameProblem(name: string): string | undefined {
  return subdomainProblem(name)?.replace('253 characters', '253 bytes');
}

function nameRule({ kind, group }: Kind): NameRule {
  if (group === 'rbac.authorization.k8s.io' || kind === 'CertificateSigningRequest') return pathSegmentProblem;
  if (kind === 'IPAddress') return addressNameProblem;
  if (byteNames.has(kind)) return byteNameProblem;
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
    // Unlike label keys, annotation keys may have upper case in their prefix.
    const problems = isFull(errors) ? [] : qualifiedNameProblems(key.toLowerCase());
    errors.push(...problems.map((problem) => invalidValue('metadata.annotations', key, problem)));
  }
  return size > maximumAnnotations ? [...errors, tooLong('metadata.annotations', maximumAnnotations)] : errors;
}

function toError(field: string, value: unknown, problem: string | undefined): FieldError[] {
  return problem === undefined ? [] : [invalidValue(field, value, problem)];
}
