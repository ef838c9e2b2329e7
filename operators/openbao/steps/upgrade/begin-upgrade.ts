// SPDX-License-Identifier: Apache-2.0
import type { StatefulSet } from '@forge/kube/kinds/builtin.ts';
import { isTerminating } from '@forge/kube/objects/object.ts';
import { seconds } from '@forge/runtime/environment/duration.ts';
import { checkpoint, ready } from '@forge/runtime/steps/outcome.ts';
import { imageOf, namesOf, serverLabels } from '../../api/names.ts';
import { skipsVersions } from '../../api/version.ts';
import { degradedCases } from '../../conditions/degraded.ts';
import { upgradeEvents, upgrading } from '../../conditions/upgrading.ts';
import { claimViews, leavingAmong } from '../membership/removal.ts';
import { claimsByName, hasStarted, podsOf } from '../servers.ts';
import { timeText } from '../snapshots/backup-context.ts';
import { observe, observedSet, revisionOf } from './observe.ts';
import { hasSpare, isSameVersion, type Observed } from './observed.ts';
import { obstacleToBeginning, strategyFor } from './plan-upgrade.ts';
import { followSnapshotBefore, snapshotBefore, snapshotUnderWay } from './pre-upgrade-snapshot.ts';
import type { UpgradeContext, UpgradeOutcome } from './upgrade-context.ts';
import { atRest, type Rollout, type UpgradeState } from './upgrade-state.ts';

/** A pod that restarts is ready again within this time; a cluster that is not needs help. */
const restartEnd = seconds(30);

/** Begins an upgrade when the spec asks for one, it may be, and the cluster is fit for it. */
export async function beginUpgrade(set: StatefulSet, context: UpgradeContext): Promise<UpgradeOutcome> {
  const { object: cluster, needs, seenFor } = context;
  const { decision, version } = needs.target;
  const output: Rollout = { ...atRest, template: decision === 'none' ? 'desired' : 'live' };
  const snapshot = snapshotUnderWay(cluster);
  if (snapshot !== undefined) return await followSnapshotBefore(snapshot, output, context);
  if (decision === 'refused') return ready(upgrading.refused(), { output });
  if (decision === 'none' && !hasOutdatedPods(set, context)) return settled(context);
  const waiting = (what: string, conditions = {}) =>
    ready(upgrading.clusterNotReady({ version, what }), { output, conditions });

  const { replicas = 0 } = set.spec ?? {};
  if (replicas !== cluster.spec.replicas)
    return waiting(`${cluster.spec.replicas} pods, of which there are ${replicas}`);
  if (cluster.status?.backup?.attempt !== undefined) return waiting('the running backup');
  const observed = await observe(set, context);
  const what = obstacleToBeginning(observed);
  const unfitFor = seenFor('unfit', what !== undefined);
  if (what !== undefined)
    return waiting(what, unfitFor < restartEnd ? {} : { Degraded: degradedCases.clusterNotReady({ version, what }) });
  // Nobody leaves during an upgrade, which would wait for that server: an outdated cache must not hide the mark of a removal.
  const [leaver] = leavingAmong(claimViews(cluster, await claimsByName(context)));
  if (leaver !== undefined) return waiting(`${namesOf(cluster).pod(leaver)} to leave the Raft cluster`);
  return (await snapshotBefore(output, context)) ?? (await started(observed, context));
}

/** Whether pods have another template than the set, although the set has the one that is asked for. */
function hasOutdatedPods(set: StatefulSet, context: UpgradeContext): boolean {
  const { isObserved, updateRevision } = observedSet(set);
  const others = podsOf(context).filter((pod) => !isTerminating(pod) && revisionOf(pod) !== updateRevision);
  return isObserved && others.length > 0;
}

/** There is nothing to do; what servers report must be what the spec says. */
function settled(context: UpgradeContext): UpgradeOutcome {
  const { object: cluster, needs } = context;
  const { version } = needs.target;
  const { currentVersion, conditions = [] } = cluster.status ?? {};
  const output: Rollout = { ...atRest, template: 'desired' };
  const reported = podsOf(context)
    .filter(hasStarted)
    .flatMap(({ metadata }) => metadata.labels?.[serverLabels.version] ?? []);
  const other = reported.find((each) => !isSameVersion(each, version));
  // Its text names the versions, which nothing else remembers.
  const completed = conditions.find(({ type, reason }) => type === 'Upgrading' && reason === 'UpgradeComplete');
  const text = completed === undefined ? upgrading.idle() : { ...completed };
  if (other !== undefined) {
    const Degraded = degradedCases.versionsDisagree({ image: imageOf(cluster), reported: other, version });
    return ready(text, { output, conditions: { Degraded } });
  }
  const isNamedAnew = currentVersion !== undefined && currentVersion !== version && reported.length > 0;
  return ready(text, { output, status: isNamedAnew ? { currentVersion: version } : {} });
}

async function started(observed: Observed, context: UpgradeContext): Promise<UpgradeOutcome> {
  const { object: cluster, needs, clock, event } = context;
  const { version: to, templateHash } = needs.target;
  const { currentVersion: from = to, highestVersion: highest } = cluster.status ?? {};
  const replicas = observed.servers.length;
  await event(upgradeEvents.started({ replicas, from, to }));
  if (!hasSpare(observed)) await event(upgradeEvents.withoutQuorum());
  if (skipsVersions(from, to)) await event(upgradeEvents.skipsVersions({ from, to }));
  const time = timeText(clock.now());
  const upgrade: UpgradeState = {
    targetVersion: to,
    fromVersion: from,
    templateHash,
    strategy: strategyFor(observed, templateHash, { from, highest }),
    startedAt: time,
    currentPartition: replicas,
    completedPods: [],
    step: 'Lock',
    stepStartedAt: time,
  };
  return checkpoint({ upgrade }, upgrading.started({ replicas, from, to }));
}
