// SPDX-License-Identifier: Apache-2.0
import { upgradeMetrics as measured } from '../../conditions/upgrade-metrics.ts';
import type { UpgradeContext } from './upgrade-context.ts';
import { haltOf, type UpgradeState } from './upgrade-state.ts';

type Measuring = Pick<UpgradeContext, 'object' | 'metrics'>;

export const labelsOf = ({ object: { metadata } }: Pick<UpgradeContext, 'object'>) => ({
  namespace: metadata.namespace ?? '',
  name: metadata.name,
});

/** Shows how far an upgrade is; undefined when there is none. */
export function measureUpgrade(state: UpgradeState | undefined, replicas: number, context: Measuring): void {
  const { object: cluster, metrics } = context;
  const labels = labelsOf(context);
  const isHalted = state !== undefined && haltOf(state) !== undefined;
  const hasSucceeded = cluster.status?.conditions?.some(({ reason }) => reason === 'UpgradeComplete') === true;
  metrics.set(measured.status, labels, isHalted ? 3 : state !== undefined ? 1 : hasSucceeded ? 2 : 0);
  metrics.set(measured.inProgress, labels, state === undefined || isHalted ? 0 : 1);
  metrics.set(measured.podsTotal, labels, replicas);
  metrics.set(measured.podsCompleted, labels, state?.completedPods?.length ?? 0);
  metrics.set(measured.partition, labels, state?.currentPartition ?? replicas);
  metrics.count(measured.stepDowns, labels, 0);
  metrics.count(measured.stepDownFailures, labels, 0);
}

const secondsSince = (time: string | undefined, now: number) =>
  time === undefined ? undefined : Math.max(0, (now - Date.parse(time)) / 1000);

/** Records how long the upgrade of a pod took. */
export function measurePod(pod: string, { podStartedAt }: UpgradeState, context: UpgradeContext): void {
  const took = secondsSince(podStartedAt, context.clock.now());
  if (took !== undefined) context.metrics.observe(measured.podDuration, { ...labelsOf(context), pod }, took);
}

/** Records how long the whole upgrade took. */
export function measureWhole(
  { startedAt, fromVersion = '', targetVersion = '' }: UpgradeState,
  context: UpgradeContext,
): void {
  const took = secondsSince(startedAt, context.clock.now());
  const versions = { from_version: fromVersion, to_version: targetVersion };
  if (took !== undefined) context.metrics.observe(measured.duration, { ...labelsOf(context), ...versions }, took);
}
