// SPDX-License-Identifier: Apache-2.0
import { checkpoint, ready } from '@forge/runtime/steps/outcome.ts';
import { annotations, imageOf } from '../../api/names.ts';
import { degradedCases } from '../../conditions/degraded.ts';
import { upgradeMetrics } from '../../conditions/upgrade-metrics.ts';
import { upgradeEvents, upgrading } from '../../conditions/upgrading.ts';
import { podsOf, problemOfPods } from '../servers.ts';
import { timeText } from '../snapshots/backup-context.ts';
import { labelsOf } from './measure-upgrade.ts';
import type { Observed } from './observed.ts';
import type { UnderWay, UpgradeContext, UpgradeOutcome } from './upgrade-context.ts';
import { haltOf, type HaltReason, type Rollout } from './upgrade-state.ts';

interface Halted extends UnderWay {
  readonly observed: Observed;
}

const podOf = ({ state, observed }: Halted) => observed.servers[state.pod ?? 0];

/** What keeps a pod from being ready. */
export const problemOf = (pod: string, context: UpgradeContext): string | undefined =>
  problemOfPods(podsOf(context).filter(({ metadata }) => metadata.name === pod));

/** What Degraded says of a halt. */
function degradedText(reason: HaltReason, halted: Halted, context: UpgradeContext) {
  const { name: pod = '', answer } = podOf(halted) ?? {};
  const problem = problemOf(pod, context);
  switch (reason) {
    case 'StepDownTimeout':
      return degradedCases.stepDownTimeout({ pod }, problem);
    case 'StepDownFailed':
      return degradedCases.stepDownFailed({ pod }, halted.state.lastErrorMessage);
    case 'PodNotReady':
      return degradedCases.upgradedPodNotReady({ pod }, problem);
    case 'HealthCheckFailed':
      return degradedCases.healthCheckFailed({ pod }, problem);
    case 'RaftSyncTimeout':
      return degradedCases.raftSyncTimeout({ pod }, problem);
    case 'UpgradeFailed': {
      const version = halted.state.targetVersion ?? '';
      const reported = answer && `it reports ${answer.version}`;
      return degradedCases.upgradeFailed({ pod, image: imageOf(context.object), version }, reported);
    }
  }
}

/** The names of a halt's cases. */
const cases = {
  StepDownTimeout: 'stepDownTimeout',
  StepDownFailed: 'stepDownFailed',
  PodNotReady: 'podNotReady',
  HealthCheckFailed: 'healthCheckFailed',
  RaftSyncTimeout: 'raftSyncTimeout',
  UpgradeFailed: 'upgradeFailed',
} as const satisfies Record<HaltReason, keyof typeof upgrading & keyof typeof upgradeEvents>;

/** Halts the upgrade: from now on it observes, and goes on when what it waits for is reached or somebody asks it to. */
export async function halt(
  reason: HaltReason,
  problem: string | undefined,
  halting: Halted,
  context: UpgradeContext,
): Promise<UpgradeOutcome> {
  const { object: cluster, clock, event, metrics, log } = context;
  const state = { ...halting.state, ...(problem !== undefined && { lastErrorMessage: problem }) };
  const { message } = degradedText(reason, { ...halting, state }, context);
  log.warn('the upgrade is halted', { reason, message });
  await event(upgradeEvents[cases[reason]]({ cause: message }));
  if (reason === 'StepDownTimeout') metrics.count(upgradeMetrics.stepDownFailures, labelsOf(context), 1);
  const { generation } = cluster.metadata;
  const haltedRetry = cluster.metadata.annotations?.[annotations.retryUpgrade];
  return checkpoint({
    upgrade: {
      ...state,
      lastErrorReason: reason,
      lastErrorMessage: problem ?? message,
      lastErrorAt: timeText(clock.now()),
      ...(generation !== undefined && { haltedGeneration: generation }),
      ...(haltedRetry !== undefined && { haltedRetry }),
    },
  });
}

/** What is said while the upgrade is halted. */
export function haltedOutcome(halted: Halted, output: Rollout, context: UpgradeContext): UpgradeOutcome {
  const reason = haltOf(halted.state) ?? 'UpgradeFailed';
  const text = upgrading[cases[reason]]({ version: halted.state.targetVersion ?? '', pod: podOf(halted)?.name ?? '' });
  return ready(text, { output, conditions: { Degraded: degradedText(reason, halted, context) } });
}
