// SPDX-License-Identifier: Apache-2.0
import type { ContainerStatus } from '@forge/kube/generated/types.ts';
import type { Pod } from '@forge/kube/kinds/builtin.ts';
import type { SecretValue } from '../secrets/secret-value.ts';

/** Why containers wait that will not run before somebody changes something; a failed pull alternates between two reasons. */
const stuckReasons: Readonly<Record<string, string>> = {
  ErrImagePull: 'ImagePullBackOff',
  ImagePullBackOff: 'ImagePullBackOff',
  ErrImageNeverPull: 'ErrImageNeverPull',
  InvalidImageName: 'InvalidImageName',
  CreateContainerConfigError: 'CreateContainerConfigError',
  CreateContainerError: 'CreateContainerError',
  RunContainerError: 'RunContainerError',
  CrashLoopBackOff: 'CrashLoopBackOff',
};

const imageReasons = ['ImagePullBackOff', 'ErrImageNeverPull', 'InvalidImageName'];

/** A suffix of a condition's message stays readable. */
const maxLength = 256;

/**
 * What keeps these pods from working, as `{reason}: {message}` of the newest that is in trouble; undefined when none is.
 * The text is the same for the same trouble: no names of pods, no times. Secrets that are known do not show.
 */
export function podProblem(pods: readonly Pod[], secrets: readonly SecretValue[] = []): string | undefined {
  const newest = pods.toSorted((a, b) => createdOf(b).localeCompare(createdOf(a)));
  const [trouble] = newest.flatMap((pod) => problemOf(pod) ?? []);
  return trouble === undefined ? undefined : truncate(redacted(trouble, secrets));
}

/** Whether nothing of these pods runs, or will: ending them interrupts no work. Tries that failed have ended already. */
export function areStuck(pods: readonly Pod[]): boolean {
  return pods.every((pod) => {
    if (pod.status?.phase === 'Failed') return true;
    const statuses = statusesOf(pod);
    if (statuses.some(({ state }) => state?.running !== undefined)) return false;
    return isUnschedulable(pod) || statuses.some(({ state }) => (state?.waiting?.reason ?? '') in stuckReasons);
  });
}

function problemOf(pod: Pod): string | undefined {
  const [trouble] = statusesOf(pod).flatMap((status) => containerProblem(status) ?? []);
  if (trouble !== undefined) return trouble;
  const unschedulable = isUnschedulable(pod) ? scheduledOf(pod)?.message : undefined;
  return unschedulable && `Unschedulable: ${unschedulable}`;
}

function containerProblem({ image, state, lastState }: ContainerStatus): string | undefined {
  const waiting = state?.waiting;
  const reason = stuckReasons[waiting?.reason ?? ''];
  const ended = state?.terminated ?? lastState?.terminated;
  if (reason !== undefined && imageReasons.includes(reason)) return `${reason}: image "${image}" cannot be pulled`;
  if (reason !== undefined && reason !== 'CrashLoopBackOff') return `${reason}: ${waiting?.message ?? ''}`;
  if (ended === undefined || ended.exitCode === 0) return reason;
  const text = ended.message?.trim() ?? '';
  const exit = text === '' ? `exit code ${ended.exitCode}` : (text.split('\n').at(-1) ?? '');
  return `${reason ?? ended.reason ?? 'Error'}: ${exit}`;
}

function statusesOf({ status }: Pod): ContainerStatus[] {
  return [...(status?.initContainerStatuses ?? []), ...(status?.containerStatuses ?? [])];
}

function scheduledOf({ status }: Pod) {
  return status?.conditions?.find(({ type }) => type === 'PodScheduled');
}

function isUnschedulable(pod: Pod): boolean {
  return scheduledOf(pod)?.reason === 'Unschedulable';
}

function createdOf({ metadata }: Pod): string {
  return metadata.creationTimestamp ?? '';
}

function redacted(text: string, secrets: readonly SecretValue[]): string {
  return secrets.reduce((shown, secret) => {
    const value = secret.reveal();
    return value === '' ? shown : shown.replaceAll(value, '[redacted]');
  }, text);
}

function truncate(text: string): string {
  return text.length <= maxLength ? text : `${text.slice(0, maxLength - 1)}…`;
}
