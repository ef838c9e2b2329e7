// SPDX-License-Identifier: Apache-2.0
import type { Container, EnvVar, PodSpec, PodTemplateSpec } from '@forge/kube/generated/types.ts';
import { affinityWarnings, placementWarnings } from './affinity-warnings.ts';
import { fractionWarnings } from './claim-warnings.ts';
import { portWarnings } from './port-warnings.ts';
import { volumeWarnings } from './volume-warnings.ts';

/** A container and where it stands. */
export interface PlacedContainer {
  place: string;
  container: Container;
}

const deprecatedAnnotations = Object.entries({
  'scheduler.alpha.kubernetes.io/critical-pod': 'non-functional in v1.16+; use the "priorityClassName" field instead',
  'security.alpha.kubernetes.io/sysctls': 'non-functional in v1.11+; use the "sysctls" field instead',
  'security.alpha.kubernetes.io/unsafe-sysctls': 'non-functional in v1.11+; use the "sysctls" field instead',
});

const bytes = ['memory', 'ephemeral-storage'];

/** Warns of what is in a pod, or in a template of pods at this place, and does not do what its writer may think. */
export function* podWarnings({ metadata = {}, spec }: PodTemplateSpec, place = ''): Generator<string> {
  if (spec === undefined) return;
  const prefix = place === '' ? '' : `${place}.`;
  const { annotations = {} } = metadata;
  const inSpec = `${prefix}spec`;
  const inAnnotations = `${prefix}metadata.annotations`;
  yield* placementWarnings(spec, inSpec);
  for (const [name, message] of deprecatedAnnotations) {
    if (annotations[name] !== undefined) yield `${inAnnotations}[${name}]: ${message}`;
  }
  yield* volumeWarnings(spec.volumes, inSpec);
  yield* repeated(spec.hostAliases, 'ip', `${inSpec}.hostAliases`);
  yield* repeated(spec.imagePullSecrets, 'name', `${inSpec}.imagePullSecrets`);
  for (const [index, { name = '' }] of (spec.imagePullSecrets ?? []).entries()) {
    if (name === '') yield `${inSpec}.imagePullSecrets[${index}].name: invalid empty name ""`;
  }
  for (const resource of bytes) yield* fractionWarnings(spec.overhead, resource, inSpec, 'overhead');
  const podSeccomp = 'seccomp.security.alpha.kubernetes.io/pod';
  if (spec.securityContext?.seccompProfile === undefined && annotations[podSeccomp] !== undefined) {
    yield `${inAnnotations}[${podSeccomp}]: non-functional in v1.27+; use the "seccompProfile" field instead`;
  }
  const containers = containersOf(spec, inSpec);
  for (const each of containers) {
    if (metadata.annotations !== undefined) {
      yield* profileWarnings(each.container, annotations, inAnnotations, place !== '');
    }
    yield* containerWarnings(each);
  }
  yield* portWarnings(containers);
  if ((spec.terminationGracePeriodSeconds ?? 0) < 0) {
    yield `${inSpec}.terminationGracePeriodSeconds: must be >= 0; negative values are invalid and will be treated as 1`;
  }
  yield* affinityWarnings(spec, inSpec);
}

function containersOf(spec: PodSpec, place: string): PlacedContainer[] {
  return (['initContainers', 'containers'] as const).flatMap((field) =>
    (spec[field] ?? []).map((container, index) => ({ place: `${place}.${field}[${index}]`, container })),
  );
}

/** Profiles were annotations once; those of pods are still read, those of templates no more. */
function* profileWarnings(
  { name, securityContext }: Container,
  annotations: Readonly<Record<string, string>>,
  place: string,
  isTemplate: boolean,
): Generator<string> {
  const seccomp = `container.seccomp.security.alpha.kubernetes.io/${name}`;
  if (securityContext?.seccompProfile === undefined && annotations[seccomp] !== undefined) {
    yield `${place}[${seccomp}]: non-functional in v1.27+; use the "seccompProfile" field instead`;
  }
  const appArmor = `container.apparmor.security.beta.kubernetes.io/${name}`;
  if (isTemplate && securityContext?.appArmorProfile === undefined && annotations[appArmor] !== undefined) {
    yield `${place}[${appArmor}]: deprecated since v1.30; use the "appArmorProfile" field instead`;
  }
}

function* containerWarnings({ place, container: { resources, env = [] } }: PlacedContainer): Generator<string> {
  for (const resource of bytes) {
    yield* fractionWarnings(resources?.limits, resource, place, 'resources.limits');
    yield* fractionWarnings(resources?.requests, resource, place, 'resources.requests');
  }
  const names = new Set(env.map(({ name }) => name));
  // Most variables are there once.
  if (names.size === env.length) return;
  for (const [index, variable] of env.entries()) {
    const { name } = variable;
    if (names.delete(name) || !hidesPrevious(variable)) continue;
    yield `${place}.env[${index}]: hides previous definition of ${JSON.stringify(name)}, which may be dropped when using apply`;
  }
}

/** Whether the variable says something of its own, instead of adding to what is said before. */
function hidesPrevious({ name, value = '', valueFrom }: EnvVar): boolean {
  const reference = `$(${name})`;
  return valueFrom !== undefined || value === reference || !value.includes(reference);
}

function* repeated<T extends object>(
  list: readonly T[] = [],
  field: keyof T & string,
  place: string,
): Generator<string> {
  const seen = new Set<unknown>();
  for (const [index, { [field]: value = '' }] of list.entries()) {
    if (seen.has(value)) yield `${place}[${index}].${field}: duplicate ${field} ${JSON.stringify(value)}`;
    seen.add(value);
  }
}
