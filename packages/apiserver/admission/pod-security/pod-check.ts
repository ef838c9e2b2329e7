// SPDX-License-Identifier: Apache-2.0
import type { Container, PodSpec, PodTemplateSpec, SecurityContext } from '@forge/kube/generated/types.ts';

/** What a check looks at: a pod, or the template of one. */
export interface CheckedPod {
  readonly annotations: Readonly<Record<string, string>>;
  readonly spec: PodSpec;
}

/** The part of a pod, or of the template of one, that checks look at. */
export function checkedPod({ metadata, spec = { containers: [] } }: PodTemplateSpec): CheckedPod {
  return { annotations: metadata?.annotations ?? {}, spec };
}

/** Why a pod is not as it should be. */
export interface Violation {
  /** What is forbidden. */
  readonly reason: string;
  /** Who does it, and what it should do instead. */
  readonly detail: string;
}

/** Finds what is wrong with a pod, if anything is. */
export type FindViolation = (pod: CheckedPod) => Violation | undefined;

/** Something a level forbids. */
export interface PodCheck {
  /** How it is found, by the minor version of Kubernetes that began to look like this; in rising order. */
  readonly versions: readonly (readonly [since: number, find: FindViolation])[];
  /** A check of the baseline that this one makes superfluous. */
  readonly replaces?: PodCheck;
}

/** A check that has always been the same. */
export function always(find: FindViolation): PodCheck {
  return { versions: [[0, find]] };
}

/** Looks away when the pod is for Windows, which knows no such thing. */
export function unlessWindows(find: FindViolation): FindViolation {
  return (pod) => (pod.spec.os?.name === 'windows' ? undefined : find(pod));
}

/** Looks away when the pod's users are not the node's. */
export function unlessUserNamespace(find: FindViolation): FindViolation {
  return (pod) => (pod.spec.hostUsers === false ? undefined : find(pod));
}

/** Who does something forbidden, and the values they use. */
interface Findings {
  readonly who: readonly string[];
  readonly values: readonly string[];
}

/** The containers in which something forbidden is found. */
export function containerFindings({ spec }: CheckedPod, forbiddenIn: (container: Container) => string[]): Findings {
  const found = containersOf(spec).map((container) => ({ name: container.name, values: forbiddenIn(container) }));
  const offenders = found.filter(({ values }) => values.length > 0);
  return { who: offenders.map(({ name }) => name), values: sorted(offenders.flatMap(({ values }) => values)) };
}

/** The security contexts, the pod's own and its containers', in which something forbidden is found. */
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

/** Each value once, in order. */
export function sorted(values: readonly string[]): string[] {
  return [...new Set(values)].toSorted();
}

/** `container "a"`, `containers "a", "b"`. */
export function listed(noun: string, names: readonly string[]): string {
  return `${plural(noun, names)} ${quoted(names)}`;
}

/** The noun in the number of the things. */
export function plural(noun: string, things: readonly unknown[]): string {
  return things.length === 1 ? noun : `${noun}s`;
}

/** `"a", "b"`. */
export function quoted(names: readonly string[]): string {
  return names.map((name) => `"${name}"`).join(', ');
}
