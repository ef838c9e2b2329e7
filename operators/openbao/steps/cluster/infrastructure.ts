// SPDX-License-Identifier: Apache-2.0
// One step writes the whole StatefulSet, so that nobody else can restart a pod. What it writes depends on whether there is data:
//
// - Before initialisation one pod runs, and follows every change of the spec, so that correcting a mistake is enough. Where there
//   are claims of an earlier cluster of this name, each of them gets its pod: one server of three has no quorum.
// - Afterwards the partition keeps pods as they are. What a changed template does is decided by the upgrade, and how many pods
//   there are by the membership.
import type { StatefulSetSpec } from '@forge/kube/generated/types.ts';
import { PersistentVolumeClaim, StatefulSet } from '@forge/kube/kinds/builtin.ts';
import { modified } from '@forge/runtime/steps/modified.ts';
import { ready, waiting } from '@forge/runtime/steps/outcome.ts';
import { annotations, namesOf } from '../../api/names.ts';
import type { OpenBaoCluster } from '../../api/openbao-cluster.ts';
import type { ContextWith } from '../../clients/services.ts';
import { degradedCases, degradedCondition } from '../../conditions/degraded.ts';
import { serverStatefulSet } from '../../objects/stateful-set.ts';
import { applied, ofCluster } from '../adopted.ts';
import type { Membership } from '../membership/report-membership.ts';
import { liveClaims } from '../servers.ts';
import { step } from '../step.ts';
import { target, type Target } from '../target.ts';
import { unsealKey } from '../unseal-key.ts';
import type { Rollout } from '../upgrade/upgrade-state.ts';
import { upgrade } from '../upgrade/upgrade.ts';
import { membership } from './membership.ts';
import { deleteOutdatedClaims, hasData, hasSameClaims } from './outdated-claims.ts';

/** Runs the servers. */
export const infrastructure = step({
  name: 'Infrastructure',
  condition: degradedCondition,
  needs: { target, unsealKey, upgrade, membership },
  owns: [ofCluster(StatefulSet, 'remove')],
  reads: [liveClaims],
  modifies: [modified(PersistentVolumeClaim, 'delete')],
  async run(context) {
    const { object: cluster, needs, get, remove } = context;
    const live = get(StatefulSet, namesOf(cluster).statefulSet);
    const desired = desiredStatefulSet(context, live);
    if (cluster.status?.initialized === true) {
      const { template } = needs.upgrade;
      await applied(StatefulSet, live === undefined ? desired : kept(desired, live, template), context);
      return ready(prepared(context));
    }
    if (live !== undefined && !hasSameClaims(live, desired)) {
      if (await hasData(context)) {
        // Servers that an orphaning deletion has left: they go on, and their volumes cannot follow.
        await applied(StatefulSet, kept(desired, live, 'desired'), context);
        return ready(degradedCases.prerequisitesReady());
      }
      await remove(StatefulSet, live, { propagation: 'Foreground' });
      return waiting(replacing(`StatefulSet ${live.metadata.name}`));
    }
    const outdated = live === undefined ? await deleteOutdatedClaims(desired, context) : [];
    if (outdated.length > 0) return waiting(replacing(`PersistentVolumeClaim ${outdated.join(', ')}`));
    await applied(StatefulSet, desired, context);
    return ready(degradedCases.prerequisitesReady());
  },
});

type Context = ContextWith<{
  target: Target;
  unsealKey: string | undefined;
  upgrade: Rollout;
  membership: Membership;
}>;

function desiredStatefulSet({ object: cluster, needs }: Context, live: StatefulSet | undefined): StatefulSet {
  const { replicas } = needs.membership;
  const set = serverStatefulSet(cluster, {
    ...needs.target.inputs,
    replicas,
    // Before initialisation every change reaches the pod.
    updateStrategy:
      cluster.status?.initialized === true ? updateStrategyOf(needs.upgrade, live, replicas) : following(0),
    fingerprint: needs.unsealKey,
  });
  return marked(set, needs.target.templateHash);
}

type UpdateStrategy = NonNullable<StatefulSetSpec['updateStrategy']>;

/** Pods from this number on follow the template. */
const following = (partition: number): UpdateStrategy => ({ type: 'RollingUpdate', rollingUpdate: { partition } });

/**
 * Which pods follow the template. At rest none does; but as long as the controller of the set has not seen that all pods are of
 * the new revision, the strategy stays: a pod that died would come back with the former one.
 */
function updateStrategyOf({ pods }: Rollout, live: StatefulSet | undefined, replicas: number): UpdateStrategy {
  if (pods === 'OnDelete') return { type: 'OnDelete' };
  if (pods !== 'rest') return following(pods);
  const { currentRevision, updateRevision } = live?.status ?? {};
  const { updateStrategy, replicas: former = 0 } = live?.spec ?? {};
  if (currentRevision === updateRevision || updateStrategy === undefined) return following(replicas);
  if (updateStrategy.type === 'OnDelete') return { type: 'OnDelete' };
  const { partition = 0 } = updateStrategy.rollingUpdate ?? {};
  return following(partition >= former ? replicas : partition);
}

/** The set with the mark of its template. */
function marked(set: StatefulSet, templateHash: string): StatefulSet {
  const marks = { ...set.metadata.annotations, [annotations.templateHash]: templateHash };
  return { ...set, metadata: { ...set.metadata, annotations: marks } };
}

const replacing = (what: string) => degradedCases.prerequisitesMissing({ what: `the deletion of ${what}` });

const prepared = ({
  object: { spec },
  needs: {
    membership: { notice },
  },
}: Context) =>
  degradedCases.prerequisitesReady(
    undefined,
    [...noticesOf(spec), ...(notice === undefined ? [] : [notice])].join('; ') || undefined,
  );

/** What people should know although nothing is wrong. */
function noticesOf({ imageVerification, replicas, tls, updateStrategy }: OpenBaoCluster['spec']): string[] {
  const unapplied = [
    ...(imageVerification?.enabled === true ? ['spec.imageVerification'] : []),
    // Pods are replaced one by one all the same.
    ...(updateStrategy.type === 'BlueGreen' ? ['spec.updateStrategy'] : []),
  ];
  return [
    ...(unapplied.length > 0 ? [`not applied by this version of the operator: ${unapplied.join(', ')}`] : []),
    // Each pod has its own cache, and the Service leads the ACME server to any of them.
    ...(tls.mode === 'ACME' && replicas > 1
      ? ['with ACME each pod orders a certificate of its own, and a challenge may reach another pod: use one replica']
      : []),
  ];
}

/** The desired StatefulSet with what must stay: fields that cannot be changed, and the template while it is held back. */
function kept(desired: StatefulSet, live: StatefulSet, written: Rollout['template']): StatefulSet {
  if (desired.spec === undefined || live.spec === undefined) return desired;
  const { volumeClaimTemplates = [], template } = live.spec;
  const spec = hasSameClaims(live, desired) ? desired.spec : { ...desired.spec, volumeClaimTemplates };
  if (written === 'desired') return { ...desired, spec };
  const held = { ...desired, spec: { ...spec, template } };
  return marked(held, live.metadata.annotations?.[annotations.templateHash] ?? '');
}
