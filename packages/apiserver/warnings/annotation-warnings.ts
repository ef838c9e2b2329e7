// SPDX-License-Identifier: Apache-2.0
import type { Container, PodSpec } from '@forge/kube/generated/types.ts';
import type { Warn } from '../resources/warn.ts';

type Annotations = Readonly<Record<string, string>>;

const deprecated: Annotations = {
  'scheduler.alpha.kubernetes.io/critical-pod': 'non-functional in v1.16+; use the "priorityClassName" field instead',
  'security.alpha.kubernetes.io/sysctls': 'non-functional in v1.11+; use the "sysctls" field instead',
  'security.alpha.kubernetes.io/unsafe-sysctls': 'non-functional in v1.11+; use the "sysctls" field instead',
};

/** Warns of annotations without effect. */
export function annotationWarnings(annotations: Annotations, place: string, warn: Warn): void {
  for (const name in deprecated) {
    if (annotations[name] !== undefined) warn(`${place}[${name}]: ${deprecated[name]}`);
  }
}

const podSeccomp = 'seccomp.security.alpha.kubernetes.io/pod';

/** Warns of the former seccomp annotation of pods. */
export function podProfileWarnings(
  { securityContext }: PodSpec,
  annotations: Annotations,
  place: string,
  warn: Warn,
): void {
  if (annotations[podSeccomp] === undefined || securityContext?.seccompProfile !== undefined) return;
  warn(`${place}[${podSeccomp}]: non-functional in v1.27+; use the "seccompProfile" field instead`);
}

/** Whether there are per-container annotations. */
export function hasContainerAnnotations(annotations: Annotations): boolean {
  for (const name in annotations) if (name.startsWith('container.')) return true;
  return false;
}

/** Warns of the former profile annotations of containers; AppArmor's only in templates. */
export function profileWarnings(
  { name, securityContext }: Container,
  annotations: Annotations,
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
