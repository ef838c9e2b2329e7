// SPDX-License-Identifier: Apache-2.0
import type { Container, PodSpec, PodTemplateSpec, SecurityContext } from '@forge/kube/generated/types.ts';

/** The checked part of a pod or pod template. */
export interface CheckedPod {
  readonly annotations: Readonly<Record<string, string>>;
  readonly spec: PodSpec;
}

/** The checked part of a pod or pod template. */
export function checkedPod({ metadata, spec = { containers: [] } }: PodTemplateSpec): CheckedPod {
  return { annotations: metadata?.annotations ?? {}, spec };
}

/** A violation found by a check. */
export interface Violation {
  /** What is forbidden. */
  readonly reason: string;
  /** The offending containers and fields. */
  readonly detail: string;
}

/** Finds a violation. */
export type FindViolation = (pod: CheckedPod) => Violation | undefined;

/** A check of a Pod Security level. */
export interface PodCheck {
  /** Implementations by the minor version of Kubernetes that introduced them, ascending. */
  readonly versions: readonly (readonly [since: number, find: FindViolation])[];
  /** The baseline check that this one replaces. */
  readonly replaces?: PodCheck;
}

/** A check that is the same in all versions. */
export function always(find: FindViolation): PodCheck {
  return { versions: [[0, find]] };
}

/** Skips Windows pods. */
export function unlessWindows(find: FindViolation): FindViolation {
  return (pod) => (pod.spec.os?.name === 'windows' ? undefined : find(pod));
}

/** Skips pods with a user namespace. */
export function unlessUserNamespace(find: FindViolation): FindViolation {
  return (pod) => (pod.spec.hostUsers === false ? undefined : find(pod));
}

/** Offending containers and the forbidden values. */
interface Findings {
  readonly who: readonly string[];
  readonly values: readonly string[];
}

/** Containers with forbidden values. */
export function containerFindings({ spec }: CheckedPod, forbiddenIn: (container: Container) => string[]): Findings {
  const found = containersOf(spec).map((container) => ({ name: container.name, values: forbiddenIn(container) }));
  const offenders = found.filter(({ values }) => values.length > 0);
  return { who: offenders.map(({ name }) => name), values: sorted(offenders.flatMap(({ values }) => values)) };
}

/** Security contexts, of the pod and its containers, with forbidden values. */
export function securityContextFindings(
  pod: CheckedPod,
  forbiddenIn: (context: SecurityContext) => string[],
): Findings {
  const own = forbiddenIn(pod.spec.securityContext ?? {});
  const { who, values } = containerFindings(pod, ({ securityContext = {} }) => forbiddenIn(securityContext));
  return {
    who: [...(own.length > 0 ? ['pod'] : []), ...(who.length > 0 ? [listed('container', who)] : [])],
    values: sorted([...own, ...values]),
  };
}

/** All containers of a pod. */
export function containersOf(spec: Partial<PodSpec>): readonly Container[] {
  const { containers = [], initContainers = [], ephemeralContainers = [] } = spec;
  return [...initContainers, ...containers, ...ephemeralContainers] as Container[];
}

/** Sorted, without duplicates. */
export function sorted(values: readonly string[]): string[] {
  return [...new Set(values)].toSorted();
}

/** `container "a"`, `containers "a", "b"`. */
export function listed(noun: string, names: readonly string[]): string {
  return `${plural(noun, names)} ${quoted(names)}`;
}

/** Singular or plural of the noun. */
export function plural(noun: string, things: readonly unknown[]): string {
  return things.length === 1 ? noun : `${noun}s`;
}

/** `"a", "b"`. */
export function quoted(names: readonly string[]): string {
  return names.map((name) => `"${name}"`).join(', ');
}
