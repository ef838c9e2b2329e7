// SPDX-License-Identifier: Apache-2.0
import { minutes, seconds, type Duration } from '@forge/runtime/environment/duration.ts';
import type { OpenBaoCluster } from '../../api/openbao-cluster.ts';

/** What status remembers of an upgrade under way. */
export type UpgradeState = NonNullable<NonNullable<OpenBaoCluster['status']>['upgrade']>;

/** What is being done. */
export type UpgradeStep = NonNullable<UpgradeState['step']>;

/** How an upgrade is halted. */
const haltReasons = [
  'StepDownTimeout',
  'StepDownFailed',
  'PodNotReady',
  'HealthCheckFailed',
  'RaftSyncTimeout',
  'UpgradeFailed',
] as const;
export type HaltReason = (typeof haltReasons)[number];

/** The reason for which the upgrade is halted; undefined when it is not. */
export const haltOf = ({ lastErrorReason }: UpgradeState): HaltReason | undefined =>
  haltReasons.find((each) => each === lastErrorReason);

/** The steps that may take this long, and what halts the upgrade when they take longer. */
export const windows: Readonly<
  Partial<Record<UpgradeStep, { readonly limit: Duration; readonly reason: HaltReason }>>
> = {
  StepDown: { limit: seconds(30), reason: 'StepDownTimeout' },
  Transfer: { limit: seconds(30), reason: 'StepDownTimeout' },
  Ready: { limit: minutes(5), reason: 'PodNotReady' },
  Health: { limit: minutes(2), reason: 'HealthCheckFailed' },
  RaftSync: { limit: minutes(2), reason: 'RaftSyncTimeout' },
};

/** What the StatefulSet shall be: the output of the upgrade, which the step that writes the set follows. */
export interface Rollout {
  /** The template that the set has, or that of the spec. */
  readonly template: 'live' | 'desired';
  /** Pods from this number on follow the template; `rest`: none does; `OnDelete`: those that are deleted. */
  readonly pods: number | 'rest' | 'OnDelete';
}

/** Nothing changes. */
export const atRest: Rollout = { template: 'live', pods: 'rest' };

/** The pods from this number on have the new template; during an upgrade that goes by deletions, none has by itself. */
export function rolloutOf(state: UpgradeState, { replicas, isReleasing, isDesired }: Held): Rollout {
  const template = isDesired ? 'desired' : 'live';
  if (state.step === 'Finish') return { template, pods: 0 };
  if (state.strategy === 'OnDelete') return { template, pods: 'OnDelete' };
  const { currentPartition = replicas } = state;
  const isReleased = isReleasing || ['Ready', 'Health', 'RaftSync'].includes(state.step ?? '');
  return { template, pods: isReleased ? (state.pod ?? currentPartition) : currentPartition };
}

interface Held {
  readonly replicas: number;
  /** Whether the pod is released in this pass. */
  readonly isReleasing: boolean;
  /** Whether the spec asks for what the upgrade leads to. */
  readonly isDesired: boolean;
}
