// SPDX-License-Identifier: Apache-2.0
import type { PersistentVolumeClaim, Pod } from '@forge/kube/kinds/builtin.ts';
import { isTerminating } from '@forge/kube/objects/object.ts';
import { seconds } from '@forge/runtime/environment/duration.ts';
import { degraded, ready } from '@forge/runtime/steps/outcome.ts';
import { namesOf, podUrl } from '../../api/names.ts';
import type { OpenBaoCluster } from '../../api/openbao-cluster.ts';
import { phases } from '../../api/status.ts';
import { OpenBaoError } from '../../clients/openbao-error.ts';
import type { ContextWith } from '../../clients/services.ts';
import { degradedCases, degradedCondition } from '../../conditions/degraded.ts';
import { initialized } from '../../conditions/initialization.ts';
import {
  available,
  clusterPhase,
  etcdEncryption,
  etcdEncryptionCondition,
  leader,
  readyReplicas,
  sealed,
  sealedCondition,
} from '../../conditions/summary.ts';
import { dataClaims, hasStarted, isServing, labelOf, podsOf, problemOfPods, serverPods } from '../servers.ts';
import { step } from '../step.ts';
import { authorities, trustOf } from '../trust.ts';
import { haltOf } from '../upgrade/upgrade-state.ts';

/** An election takes up to 17 seconds; a cluster that is without a leader for longer needs help. */
const electionEnd = seconds(30);

/** Reports the state of the cluster, from what its pods report. */
export const summary = step({
  name: 'Summary',
  condition: 'Available',
  conditions: ['OpenBaoInitialized', sealedCondition, 'OpenBaoLeader', degradedCondition, etcdEncryptionCondition],
  reads: [serverPods, dataClaims, ...authorities],
  writes: ['phase', 'activeLeader', 'readyReplicas'],
  async run(context) {
    const { object: cluster, pending, select, seenFor } = context;
    const pods = podsOf(context);
    const serving = pods.filter(isServing);
    const leading = await leadersAmong(serving, context);
    // More pods than desired run while servers leave.
    const counts = { ready: serving.length, replicas: Math.max(cluster.spec.replicas, pods.length) };
    const isAvailable = cluster.spec.replicas <= counts.ready;
    const isLeaderless = pending.initialized === true && leading.length === 0;
    const leaderlessFor = seenFor('no pod leads', isLeaderless);
    const stuck = pending.initialized === true ? pods.filter(isSealed).map(({ metadata }) => metadata.name) : [];
    const sealedFor = seenFor('pods are sealed', stuck.length > 0);
    const sealing = stuck.length > 0 && sealedFor >= electionEnd ? sealedProblem(stuck) : undefined;
    const problem = isAvailable ? undefined : (problemOfPods(pods) ?? claimProblem(select(dataClaims)) ?? sealing);
    const trouble = troubleOf({ counts, isLeaderless: isLeaderless && leaderlessFor >= electionEnd, problem });
    const phase = phaseOf(pending, isAvailable);
    measure(phase, counts.ready, context);
    const extras = {
      conditions: {
        OpenBaoInitialized: isInitialized(pending) ? initialized.initialized() : initialized.unknown(),
        OpenBaoSealed: sealedText(pods, cluster),
        OpenBaoLeader: leaderText(leading),
        EtcdEncryptionWarning: etcdEncryption.unknown(),
        ...(trouble !== undefined && { Degraded: trouble }),
      },
      status: { phase, activeLeader: leading.length === 1 ? leading[0] : undefined, readyReplicas: counts.ready },
      ...(((isLeaderless && leaderlessFor < electionEnd) || (stuck.length > 0 && sealedFor < electionEnd)) && {
        recheck: electionEnd,
      }),
    } as const;
    if (isAvailable) return ready(available.all(counts), extras);
    return degraded(counts.ready === 0 ? available.none(undefined, problem) : available.some(counts, problem), extras);
  },
});

/** The state in one word; of an upgrade, whether it goes on. */
function phaseOf({ upgrade }: NonNullable<OpenBaoCluster['status']>, isAvailable: boolean): (typeof phases)[number] {
  if (upgrade !== undefined) return haltOf(upgrade) === undefined ? 'Upgrading' : 'Failed';
  return isAvailable ? 'Running' : 'Initializing';
}

/** Whether the initialisation has happened, also if its root token is lost. */
function isInitialized({ initialized: isDone, conditions }: NonNullable<OpenBaoCluster['status']>): boolean {
  return (
    isDone === true ||
    conditions?.some(({ type, status }) => type === 'OpenBaoInitialized' && status === 'True') === true
  );
}

/** The pods that lead according to their labels. If there are several, one of them is stale, so they are asked. */
async function leadersAmong(serving: readonly Pod[], context: ContextWith): Promise<string[]> {
  const { object: cluster, services, signal } = context;
  const names = serving.filter((pod) => labelOf(pod, 'active') === true).map(({ metadata }) => metadata.name);
  if (names.length < 2) return names;
  const trust = trustOf(context);
  const answers = names.map(async (name) => {
    try {
      const { standby, sealed: cannotLead } = await services.openbao.health(
        { url: podUrl(cluster, name), ...trust },
        signal,
      );
      return standby || cannotLead ? [] : [name];
    } catch (error) {
      // A pod that does not answer may lead.
      if (error instanceof OpenBaoError) return [name];
      throw error;
    }
  });
  return (await Promise.all(answers)).flat();
}

/** What the condition Degraded is computed from. */
interface Observed {
  readonly counts: { readonly ready: number; readonly replicas: number };
  /** Whether no pod has led for longer than an election takes. */
  readonly isLeaderless: boolean;
  readonly problem: string | undefined;
}

function troubleOf({ counts, isLeaderless, problem }: Observed) {
  const quorum = Math.floor(counts.replicas / 2) + 1;
  if (isLeaderless && counts.ready < quorum) return degradedCases.quorumLost({ ...counts, quorum }, problem);
  if (isLeaderless) return degradedCases.leaderUnknown(counts, problem);
  return problem === undefined ? undefined : degradedCases.podNotReady(counts, problem);
}

const isSealed = (pod: Pod) => hasStarted(pod) && !isServing(pod) && labelOf(pod, 'sealed') === true;

/** A server that joins is sealed for some seconds; for longer, one that cannot unseal, or that has no data and nobody to join. */
const sealedProblem = (names: readonly string[]) =>
  `Sealed: ${names.join(', ')} cannot unseal, or have no data and find no server to join: their logs say which`;

/** Which volume keeps a pod from starting. */
function claimProblem(claims: readonly PersistentVolumeClaim[]): string | undefined {
  const leaving = claims.find(isTerminating);
  if (leaving !== undefined)
    return `PersistentVolumeClaim ${leaving.metadata.name} is being deleted: its pod starts with a new one once it is gone`;
  const pending = claims.find(({ status }) => status?.phase === 'Pending');
  const name = pending?.spec?.storageClassName;
  if (pending === undefined || name === undefined) return undefined;
  return `PersistentVolumeClaim ${pending.metadata.name} is not bound: StorageClass "${name}" may not exist`;
}

function sealedText(pods: readonly Pod[], cluster: OpenBaoCluster) {
  const pod = namesOf(cluster).pod(0);
  const first = pods.find(({ metadata }) => metadata.name === pod);
  const label = first !== undefined && hasStarted(first) ? labelOf(first, 'sealed') : undefined;
  if (label === undefined) return sealed.unknown({ pod });
  return label ? sealed.sealed({ pod }) : sealed.unsealed({ pod });
}

function leaderText(leading: readonly string[]) {
  const [pod] = leading;
  if (pod === undefined) return leader.unknown();
  return leading.length === 1 ? leader.found({ pod }) : leader.several({ pods: leading.join(', ') });
}

function measure(current: string, readyPods: number, { object: { metadata }, metrics }: ContextWith): void {
  const labels = { namespace: metadata.namespace ?? '', name: metadata.name };
  metrics.set(readyReplicas, labels, readyPods);
  for (const phase of phases) metrics.set(clusterPhase, { ...labels, phase }, phase === current ? 1 : 0);
}
