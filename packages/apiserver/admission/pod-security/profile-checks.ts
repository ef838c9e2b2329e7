// SPDX-License-Identifier: Apache-2.0
import {
  always,
  containersOf,
  securityContextFindings,
  listed,
  plural,
  quoted,
  sorted,
  unlessWindows,
  type CheckedPod,
  type PodCheck,
  type Violation,
} from './pod-check.ts';

const appArmorPrefix = 'container.apparmor.security.beta.kubernetes.io/';

/** No unconfined AppArmor profiles. */
export const appArmorProfile: PodCheck = always((pod) => {
  const { who, values } = securityContextFindings(pod, (context) => unconfinedType(context.appArmorProfile));
  const annotations = annotationsOf(pod)
    .filter(([name, value]) => name.startsWith(appArmorPrefix) && value !== '' && !isSafe(value))
    .map(formatAnnotation)
    .toSorted();
  const setters = [...who, ...(annotations.length > 0 ? [plural('annotation', annotations)] : [])];
  if (setters.length === 0) return undefined;
  const all = [...values, ...annotations];
  return {
    reason: plural('forbidden AppArmor profile', all),
    detail: `${setters.join(' and ')} must not set AppArmor profile type to ${quoted(all)}`,
  };
});

/** No unconfined seccomp profiles. */
export const seccompBaseline: PodCheck = {
  versions: [
    [0, unconfinedSeccompAnnotation],
    [19, unconfinedSeccomp],
  ],
};

/** Every container has a seccomp profile. */
export const seccompRestricted: PodCheck = {
  versions: [
    [19, missingSeccomp],
    [25, unlessWindows(missingSeccomp)],
  ],
  replaces: seccompBaseline,
};

/** Older versions used annotations. */
function unconfinedSeccompAnnotation(pod: CheckedPod): Violation | undefined {
  const ofContainers = containersOf(pod.spec).map(
    ({ name }) => `container.seccomp.security.alpha.kubernetes.io/${name}`,
  );
  const names = new Set(['seccomp.security.alpha.kubernetes.io/pod', ...ofContainers]);
  const unconfined = annotationsOf(pod).filter(
    ([name, value]) => names.has(name) && value !== 'docker/default' && !isSafe(value),
  );
  if (unconfined.length === 0) return undefined;
  return {
    reason: 'seccompProfile',
    detail: `forbidden ${plural('annotation', unconfined)} ${sorted(unconfined.map(formatAnnotation)).join(', ')}`,
  };
}

function unconfinedSeccomp(pod: CheckedPod): Violation | undefined {
  const { who, values } = securityContextFindings(pod, (context) => unconfinedType(context.seccompProfile));
  if (who.length === 0) return undefined;
  return {
    reason: 'seccompProfile',
    detail: `${who.join(' and ')} must not set securityContext.seccompProfile.type to ${quoted(values)}`,
  };
}

function missingSeccomp(pod: CheckedPod): Violation | undefined {
  const unconfined = unconfinedSeccomp(pod);
  if (unconfined !== undefined || pod.spec.securityContext?.seccompProfile !== undefined) return unconfined;
  const without = containersOf(pod.spec).filter(({ securityContext }) => securityContext?.seccompProfile === undefined);
  if (without.length === 0) return undefined;
  const who = listed(
    'container',
    without.map(({ name }) => name),
  );
  return {
    reason: 'seccompProfile',
    detail: `pod or ${who} must set securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost"`,
  };
}

/** The type of an unconfined profile. */
function unconfinedType(profile: { type: string } | undefined): string[] {
  return profile === undefined || ['RuntimeDefault', 'Localhost'].includes(profile.type) ? [] : [profile.type];
}

function isSafe(annotation: string): boolean {
  return annotation === 'runtime/default' || annotation.startsWith('localhost/');
}

function annotationsOf({ annotations }: CheckedPod): [string, string][] {
  return Object.entries(annotations);
}

function formatAnnotation([name, value]: [string, string]): string {
  return `${name}=${JSON.stringify(value)}`;
}
