// SPDX-License-Identifier: Apache-2.0
import type { ContainerStatus } from '@forge/kube/generated/types.ts';
import type { Pod } from '@forge/kube/kinds/builtin.ts';
import { conditionOf } from '../objects/condition.ts';
import type { SecretValue } from '../secrets/secret-value.ts';
import { failureLine } from './failure-line.ts';

/** Waiting reasons that do not resolve without a change; a failed pull alternates between two reasons. */
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

/** Reasons of containers whose command has not been started. */
const neverStarted = [...imageReasons, 'CreateContainerConfigError'];

/**
 * Why these pods make no progress, as `{reason}: {message}` of the newest with a problem; undefined when none has one. The
 * text is stable: no names of pods, no times. Known secrets are redacted.
 */
export function podProblem(pods: readonly Pod[], secrets: readonly SecretValue[] = []): string | undefined {
  const [trouble] = pods.toSorted(byAge).flatMap((pod) => problemOf(pod) ?? []);
  return trouble === undefined ? undefined : redacted(trouble, secrets);
}

/** Whether none of these pods runs or can start: deleting them interrupts no work. */
export function areStuck(pods: readonly Pod[]): boolean {
  return pods.every((pod) => {
    if (pod.status?.phase === 'Failed') return true;
    const statuses = statusesOf(pod);
    if (statuses.some(({ state }) => state?.running !== undefined)) return false;
    return isUnschedulable(pod) || statuses.some(({ state }) => (state?.waiting?.reason ?? '') in stuckReasons);
  });
}

/** Whether no container of these pods has ever run: each waits for its image, its configuration or a node. */
export function haveNeverRun(pods: readonly Pod[]): boolean {
  return pods.every((pod) => {
    if (isUnschedulable(pod)) return true;
    const statuses = statusesOf(pod);
    const reasons = statuses.map(({ state }) => stuckReasons[state?.waiting?.reason ?? ''] ?? '');
    const hasRestarted = statuses.some(({ restartCount, lastState }) => restartCount > 0 || lastState?.terminated);
    return !hasRestarted && statuses.length > 0 && reasons.every((reason) => neverStarted.includes(reason));
  });
}

function problemOf(pod: Pod): string | undefined {
  const [trouble] = statusesOf(pod).flatMap((status) => containerProblem(status) ?? []);
  if (trouble !== undefined) return trouble;
  const unschedulable = isUnschedulable(pod) ? conditionOf(pod, 'PodScheduled')?.message : undefined;
  return unschedulable && `Unschedulable: ${unschedulable}`;
}

function containerProblem({ image, ready, restartCount, state, lastState }: ContainerStatus): string | undefined {
  // Earlier failures no longer matter.
  if (ready) return undefined;
  const waiting = state?.waiting;
  const reason = stuckReasons[waiting?.reason ?? ''];
  const ended = state?.terminated ?? lastState?.terminated;
  if (reason !== undefined && imageReasons.includes(reason)) return `${reason}: image "${image}" cannot be pulled`;
  if (reason !== undefined && reason !== 'CrashLoopBackOff') return `${reason}: ${waiting?.message ?? ''}`;
  if (ended === undefined || ended.exitCode === 0) return reason;
  const text = failureLine(ended.message ?? '') || `exit code ${ended.exitCode}`;
  // A container that is restarted waits and runs in turn.
  const restarted = restartCount > 0 ? 'CrashLoopBackOff' : undefined;
  return `${reason ?? restarted ?? ended.reason ?? 'Error'}: ${text}`;
}

function statusesOf({ status }: Pod): ContainerStatus[] {
  return [...(status?.initContainerStatuses ?? []), ...(status?.containerStatuses ?? [])];
}

function isUnschedulable(pod: Pod): boolean {
  return conditionOf(pod, 'PodScheduled')?.reason === 'Unschedulable';
}

/** Orders pods, the newest first. */
export function byAge({ metadata: one }: Pod, { metadata: other }: Pod): number {
  return (other.creationTimestamp ?? '').localeCompare(one.creationTimestamp ?? '');
}

function redacted(text: string, secrets: readonly SecretValue[]): string {
  return secrets.reduce((shown, secret) => {
    const value = secret.reveal();
    return value === '' ? shown : shown.replaceAll(value, '[redacted]');
  }, text);
}
