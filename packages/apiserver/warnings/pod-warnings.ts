// SPDX-License-Identifier: Apache-2.0
import type { Container, EnvVar, PodSpec, PodTemplateSpec } from '@forge/kube/generated/types.ts';
import { affinityWarnings, placementWarnings } from './affinity-warnings.ts';
import { fractionWarnings } from './claim-warnings.ts';
import { portWarnings } from './port-warnings.ts';
import { volumeWarnings } from './volume-warnings.ts';
import type { Warn } from './warn.ts';

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
export function podWarnings({ metadata = {}, spec }: PodTemplateSpec, place: string, warn: Warn): void {
  if (spec === undefined) return;
  const prefix = place === '' ? '' : `${place}.`;
  const { annotations = {} } = metadata;
  const inSpec = `${prefix}spec`;
  const inAnnotations = `${prefix}metadata.annotations`;
  placementWarnings(spec, inSpec, warn);
  for (const [name, message] of deprecatedAnnotations) {
    if (annotations[name] !== undefined) warn(`${inAnnotations}[${name}]: ${message}`);
  }
  volumeWarnings(spec.volumes, inSpec, warn);
  repeated(spec.hostAliases, 'ip', `${inSpec}.hostAliases`, warn);
  repeated(spec.imagePullSecrets, 'name', `${inSpec}.imagePullSecrets`, warn);
  for (const [index, { name = '' }] of (spec.imagePullSecrets ?? []).entries()) {
    if (name === '') warn(`${inSpec}.imagePullSecrets[${index}].name: invalid empty name ""`);
  }
  for (const resource of bytes) fractionWarnings(spec.overhead, resource, inSpec, 'overhead', warn);
  const podSeccomp = 'seccomp.security.alpha.kubernetes.io/pod';
  if (spec.securityContext?.seccompProfile === undefined && annotations[podSeccomp] !== undefined) {
    warn(`${inAnnotations}[${podSeccomp}]: non-functional in v1.27+; use the "seccompProfile" field instead`);
  }
  const containers = containersOf(spec, inSpec);
  for (const each of containers) {
    if (metadata.annotations !== undefined) {
      profileWarnings(each.container, annotations, inAnnotations, place !== '', warn);
    }
    containerWarnings(each, warn);
  }
  portWarnings(containers, warn);
  if ((spec.terminationGracePeriodSeconds ?? 0) < 0) {
    warn(`${inSpec}.terminationGracePeriodSeconds: must be >= 0; negative values are invalid and will be treated as 1`);
  }
  affinityWarnings(spec, inSpec, warn);
}

function containersOf(spec: PodSpec, place: string): PlacedContainer[] {
  return (['initContainers', 'containers'] as const).flatMap((field) =>
    (spec[field] ?? []).map((container, index) => ({ place: `${place}.${field}[${index}]`, container })),
  );
}

/** Profiles were annotations once; those of pods are still read, those of templates no more. */
function profileWarnings(
  { name, securityContext }: Container,
  annotations: Readonly<Record<string, string>>,
  place: string,
  isTemplate: boolean,
  warn: Warn,
): void {
  const seccomp = `container.seccomp.security.alpha.kubernetes.io/${name}`;
  if (securityContext?.seccompProfile === undefined && annotations[seccomp] !== undefined) {
    warn(`${place}[${seccomp}]: non-functional in v1.27+; use the "seccompProfile" field instead`);
  }
  const appArmor = `container.apparmor.security.beta.kubernetes.io/${name}`;
  if (isTemplate && securityContext?.appArmorProfile === undefined && annotations[appArmor] !== undefined) {
    warn(`${place}[${appArmor}]: deprecated since v1.30; use the "appArmorProfile" field instead`);
  }
}

function containerWarnings({ place, container: { resources, env = [] } }: PlacedContainer, warn: Warn): void {
  for (const resource of bytes) {
    fractionWarnings(resources?.limits, resource, place, 'resources.limits', warn);
    fractionWarnings(resources?.requests, resource, place, 'resources.requests', warn);
  }
  const names = new Set(env.map(({ name }) => name));
  // Most variables are there once.
  if (names.size === env.length) return;
  for (const [index, variable] of env.entries()) {
    const { name } = variable;
    if (names.delete(name) || !hidesPrevious(variable)) continue;
    warn(
      `${place}.env[${index}]: hides previous definition of ${JSON.stringify(name)}, which may be dropped when using apply`,
    );
  }
}

/** Whether the variable says something of its own, instead of adding to what is said before. */
function hidesPrevious({ name, value = '', valueFrom }: EnvVar): boolean {
  const reference = `$(${name})`;
  return valueFrom !== undefined || value === reference || !value.includes(reference);
}

function repeated<T extends object>(list: readonly T[] = [], field: keyof T & string, place: string, warn: Warn): void {
  const seen = new Set<unknown>();
  for (const [index, { [field]: value = '' }] of list.entries()) {
    if (seen.has(value)) warn(`${place}[${index}].${field}: duplicate ${field} ${JSON.stringify(value)}`);
    seen.add(value);
  }
}
