// SPDX-License-Identifier: Apache-2.0
import { PersistentVolumeClaim, StatefulSet } from '@forge/kube/kinds/builtin.ts';
import { isTerminating } from '@forge/kube/objects/object.ts';
import { seconds } from '@forge/runtime/environment/duration.ts';
import { modified, tokens } from '@forge/runtime/steps/modified.ts';
import { ready } from '@forge/runtime/steps/outcome.ts';
import { reads } from '@forge/runtime/steps/reads.ts';
import { annotations, clusterLabel, namesOf } from '../../api/names.ts';
import type { OpenBaoCluster } from '../../api/openbao-cluster.ts';
import { isProblem } from '../../clients/credential.ts';
import { OpenBaoError } from '../../clients/openbao-error.ts';
import type { Services } from '../../clients/services.ts';
import { needOf } from '../../clients/token-calls.ts';
import { degradedCondition } from '../../conditions/degraded.ts';
import { certificates } from '../certificates.ts';
import { calledWith, credentialSecrets, namedCredentials } from '../credentials.ts';
import {
  decideMembership,
  isUnknown,
  leaverIn,
  type Decision,
  type Observed,
} from '../membership/decide-membership.ts';
import { observeRaft, type MembershipContext, type ObservedRaft } from '../membership/observe-raft.ts';
import { claimViews, removalOf, type ClaimView, type Removal } from '../membership/removal.ts';
import { reported, type Membership } from '../membership/report-membership.ts';
import { startingReplicas } from '../membership/starting-replicas.ts';
import { claimsByName, dataClaims, isServing, liveClaims, livePods, podsOf, serverPods } from '../servers.ts';
import { step } from '../step.ts';
import { target } from '../target.ts';
import { upgrade } from '../upgrade/upgrade.ts';

/** A server that was asked to step down does not compete for ten seconds. */
const handoverEnd = seconds(30);

/** Decides how many servers run, and lets servers leave. */
export const membership = step({
  name: 'Membership',
  condition: { ...degradedCondition, helperOf: 'Infrastructure' },
  needs: { certificates, target, upgrade },
  reads: [
    serverPods,
    livePods,
    dataClaims,
    liveClaims,
    credentialSecrets,
    reads(StatefulSet, (cluster) => [namesOf(cluster).statefulSet], { selector: clusterLabel }),
    reads<OpenBaoCluster, Services, StatefulSet>(StatefulSet, (cluster) => [namesOf(cluster).statefulSet], {
      live: true,
    }),
  ],
  modifies: [modified(PersistentVolumeClaim, 'patch', 'delete'), tokens],
  async run(context) {
    const { object: cluster } = context;
    const isInitialized = cluster.status?.initialized === true;
    const sized = await currentSize(context);
    if (!isInitialized || sized.current === undefined) {
      const replicas = startingReplicas({ wanted: cluster.spec.replicas, isInitialized, claims: sized.claims });
      return ready<Membership>({ output: { replicas } });
    }
    const seen = await observed(sized.current, sized.claims, context);
    const decision = decideMembership(seen);
    return reported(seen, decision, await obstacleTo(decision, seen, context));
  },
});

interface Size {
  /** The replicas of the StatefulSet; undefined without one. */
  readonly current: number | undefined;
  readonly claims: readonly ClaimView[];
}

/**
 * How many servers run, and what their claims say. While nothing is to be done, the cache is enough; otherwise it is read live, by
 * the names of claims: an outdated mark would be taken for that of a claim that was made anew, and one may have lost its labels.
 */
async function currentSize(context: MembershipContext): Promise<Size> {
  const { object: cluster, get, select, fetch } = context;
  const name = namesOf(cluster).statefulSet;
  const current = get(StatefulSet, name)?.spec?.replicas;
  const claims = claimViews(cluster, select(dataClaims));
  const isSettled = current === cluster.spec.replicas && claims.every(({ removal }) => removal === undefined);
  const isStarting = current !== undefined && cluster.status?.initialized !== true;
  if (isSettled || isStarting) return { current, claims };
  const live = await fetch(StatefulSet, name);
  return { current: live?.spec?.replicas, claims: claimViews(cluster, await claimsByName(context)) };
}

type Seen = Observed & { readonly raft: Awaited<ReturnType<typeof observeRaft>> };

/** What the decision depends on. */
async function observed(current: number, claims: readonly ClaimView[], context: MembershipContext): Promise<Seen> {
  const { object: cluster } = context;
  const wanted = cluster.spec.replicas;
  return {
    wanted,
    current,
    isUpgrading: cluster.status?.upgrade !== undefined,
    claims,
    pods: new Map(podsOf(context).map((pod) => [pod.metadata.name, isServing(pod)])),
    names: namesOf(cluster),
    raft: await observeRaft(context, leaverIn({ wanted, current, claims }) !== undefined),
    mayRemove: namedCredentials(cluster).forUpgrades,
  };
}

/** Does what was decided, and returns what it waits for or failed with, if anything. */
async function obstacleTo(decision: Decision, { raft }: Seen, context: MembershipContext): Promise<string | undefined> {
  const isHandingOver = decision.does === 'step down';
  const handingOver = context.seenFor('a server that leaves leads', isHandingOver);
  if (decision.does === 'hold') return decision.cause;
  if (isUnknown(raft)) return undefined;
  const problem = await changeMembership(decision, raft, context);
  const isLate = isHandingOver && handingOver >= handoverEnd;
  return problem ?? (isLate ? `${raft.leader} leads, and no other server takes over` : undefined);
}

/** Does what was decided; returns why the leader did not do it, or did not say so. */
async function changeMembership(
  decision: Decision,
  raft: ObservedRaft,
  context: MembershipContext,
): Promise<string | undefined> {
  switch (decision.does) {
    case 'step down':
      return await askLeader('stepDown', decision.ordinal, raft, context);
    case 'remove':
      await markClaim(decision.ordinal, 'begun', context);
      return await askLeader('removePeer', decision.ordinal, raft, context);
    case 'shrink':
      await markClaim(decision.ordinal, 'done', context);
      return undefined;
    case 'delete claim':
      await deleteClaim(decision.ordinal, context);
      return undefined;
    case 'nothing':
    case 'hold':
    case 'await pod':
      return undefined;
  }
}

async function askLeader(
  call: 'stepDown' | 'removePeer',
  ordinal: number,
  { credential, server }: ObservedRaft,
  context: MembershipContext,
): Promise<string | undefined> {
  const { object: cluster, act, signal } = context;
  const pod = namesOf(cluster).pod(ordinal);
  try {
    const answer = await calledWith(credential, { server, needs: needOf(call), context }, (token) =>
      call === 'stepDown'
        ? act(`ask ${pod} to step down`, ({ openbao }) => openbao.stepDown(server, token, signal))
        : act(`remove ${pod} from the Raft cluster`, ({ openbao }) => openbao.removePeer(server, token, pod, signal)),
    );
    return isProblem(answer) ? answer.problem : undefined;
  } catch (error) {
    if (error instanceof OpenBaoError) return error.message;
    throw error;
  }
}

/** The claim of a server, by its name, whatever its labels. */
async function claimOf(ordinal: number, context: MembershipContext): Promise<PersistentVolumeClaim | undefined> {
  const name = namesOf(context.object).claim(ordinal);
  return (await claimsByName(context)).find(({ metadata }) => metadata.name === name);
}

/** Writes on the claim how far the removal is. Without a claim there is no data that could be used again. */
async function markClaim(ordinal: number, removal: Removal, context: MembershipContext): Promise<void> {
  const claim = await claimOf(ordinal, context);
  const known = claim && removalOf(claim);
  if (claim === undefined || known === removal || known === 'done') return;
  const change = { metadata: { annotations: { [annotations.removal]: removal } } };
  await context.patch(PersistentVolumeClaim, claim, change, { exact: true });
}

/** Deletes the claim of a removed server, unless a pod has it, or another claim has its name. */
async function deleteClaim(ordinal: number, context: MembershipContext): Promise<void> {
  const pod = namesOf(context.object).pod(ordinal);
  const pods = await context.fetchAll(livePods);
  if (pods.some(({ metadata }) => metadata.name === pod)) return;
  const claim = await claimOf(ordinal, context);
  if (claim === undefined || removalOf(claim) === undefined || isTerminating(claim)) return;
  await context.deleteUnowned(PersistentVolumeClaim, claim, { exact: true });
}
