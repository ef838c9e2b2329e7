// SPDX-License-Identifier: Apache-2.0
// One step writes the whole StatefulSet, so that nobody else can restart a pod. What it writes depends on whether there is data:
//
// - Before initialisation one pod runs, and follows every change of the spec, so that correcting a mistake is enough. Where there
//   are claims of an earlier cluster of this name, each of them gets its pod: one server of three has no quorum.
// - Afterwards the partition keeps pods as they are, a changed template is not rolled out, and pods are only added.
import { PersistentVolumeClaim, StatefulSet } from '@forge/kube/kinds/builtin.ts';
import { modified } from '@forge/runtime/steps/modified.ts';
import { degraded, ready, waiting } from '@forge/runtime/steps/outcome.ts';
import { annotations, namesOf } from '../api/names.ts';
import type { OpenBaoCluster } from '../api/openbao-cluster.ts';
import type { ContextWith } from '../clients/services.ts';
import { degradedCases, degradedCondition } from '../conditions/degraded.ts';
import { serverStatefulSet } from '../objects/stateful-set.ts';
import { applied, ofCluster } from './adopted.ts';
import { deleteOutdatedClaims, hasData, hasSameClaims } from './outdated-claims.ts';
import { claimedReplicas, dataClaims, liveClaims } from './servers.ts';
import { step } from './step.ts';
import { target, type Target } from './target.ts';
import { unsealKey } from './unseal-key.ts';

/** Runs the servers. */
export const infrastructure = step({
  name: 'Infrastructure',
  condition: degradedCondition,
  needs: { target, unsealKey },
  owns: [ofCluster(StatefulSet, 'remove')],
  reads: [dataClaims, liveClaims],
  modifies: [modified(PersistentVolumeClaim, 'delete')],
  async run(context) {
    const { object: cluster, needs, get, remove } = context;
    const live = get(StatefulSet, namesOf(cluster).statefulSet);
    const desired = desiredStatefulSet(context, live);
    if (cluster.status?.initialized === true) {
      const { decision } = needs.target;
      await applied(StatefulSet, live === undefined ? desired : kept(desired, live, decision), context);
      return decision === 'change' ? degraded(degradedCases.changeHeld()) : sized(cluster, desired);
    }
    if (live !== undefined && !hasSameClaims(live, desired)) {
      if (await hasData(context)) {
        // Servers that an orphaning deletion has left: they go on, and their volumes cannot follow.
        await applied(StatefulSet, kept(desired, live, 'none'), context);
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

type Context = ContextWith<{ target: Target; unsealKey: string | undefined }>;

function desiredStatefulSet(context: Context, live: StatefulSet | undefined): StatefulSet {
  const { object: cluster, needs } = context;
  const replicas = replicasOf(context, live);
  const set = serverStatefulSet(cluster, {
    ...needs.target.inputs,
    replicas,
    // Before initialisation every change reaches the pod; afterwards none does.
    partition: cluster.status?.initialized === true ? replicas : 0,
    fingerprint: needs.unsealKey,
  });
  return marked(set, needs.target.templateHash);
}

/** The set with the mark of its template. */
function marked(set: StatefulSet, templateHash: string): StatefulSet {
  const marks = { ...set.metadata.annotations, [annotations.templateHash]: templateHash };
  return { ...set, metadata: { ...set.metadata, annotations: marks } };
}

const replacing = (what: string) => degradedCases.prerequisitesMissing({ what: `the deletion of ${what}` });

function sized({ spec }: OpenBaoCluster, { spec: applies }: StatefulSet) {
  const [current, wanted] = [applies?.replicas ?? 0, spec.replicas];
  if (current > wanted) return degraded(degradedCases.scaleDownHeld({ current, wanted }));
  return ready(degradedCases.prerequisitesReady(undefined, noticesOf(spec).join('; ') || undefined));
}

/** What people should know although nothing is wrong. */
function noticesOf({ audit = [], imageVerification, replicas, tls }: OpenBaoCluster['spec']): string[] {
  const unapplied = [
    ...(audit.length > 0 ? ['spec.audit'] : []),
    ...(imageVerification?.enabled === true ? ['spec.imageVerification'] : []),
  ];
  return [
    ...(unapplied.length > 0 ? [`not applied by this version of the operator: ${unapplied.join(', ')}`] : []),
    // Each pod has its own cache, and the Service leads the ACME server to any of them.
    ...(tls.mode === 'ACME' && replicas > 1
      ? ['with ACME each pod orders a certificate of its own, and a challenge may reach another pod: use one replica']
      : []),
  ];
}

/** Pods are added at once and never removed; before initialisation there is one, unless more have data. */
function replicasOf({ object: cluster, select }: ContextWith, live: StatefulSet | undefined): number {
  const claimed = claimedReplicas(cluster, select(dataClaims));
  if (cluster.status?.initialized === true) return Math.max(cluster.spec.replicas, live?.spec?.replicas ?? claimed);
  return claimed > 1 ? Math.max(cluster.spec.replicas, claimed) : 1;
}

/** The desired StatefulSet with what must stay: fields that cannot be changed, and the template while it is held back. */
function kept(desired: StatefulSet, live: StatefulSet, decision: Target['decision']): StatefulSet {
  if (desired.spec === undefined || live.spec === undefined) return desired;
  const { volumeClaimTemplates = [], template } = live.spec;
  const spec = hasSameClaims(live, desired) ? desired.spec : { ...desired.spec, volumeClaimTemplates };
  if (decision === 'none') return { ...desired, spec };
  const held = { ...desired, spec: { ...spec, template } };
  return marked(held, live.metadata.annotations?.[annotations.templateHash] ?? '');
}
