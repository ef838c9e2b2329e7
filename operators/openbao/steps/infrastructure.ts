// SPDX-License-Identifier: Apache-2.0
// One step writes the whole StatefulSet, so that nobody else can restart a pod. What it writes depends on whether there is data:
//
// - Before initialisation one pod runs, and follows every change of the spec, so that correcting a mistake is enough. Where there
//   are claims of an earlier cluster of this name, each of them gets its pod: one server of three has no quorum.
// - Afterwards the partition keeps pods as they are, a changed template is not rolled out, and pods are only added.
//
// A server of a lower version than one that has run on the data never becomes leader: it is refused before any pod starts.
import { createHash } from 'node:crypto';
import { PersistentVolumeClaim, Secret, StatefulSet } from '@forge/kube/kinds/builtin.ts';
import { isTerminating } from '@forge/kube/objects/object.ts';
import { modified } from '@forge/runtime/steps/modified.ts';
import { blocked, degraded, ready, waiting } from '@forge/runtime/steps/outcome.ts';
import { reads } from '@forge/runtime/steps/reads.ts';
import { annotations, imageOf, namesOf } from '../api/names.ts';
import type { OpenBaoCluster } from '../api/openbao-cluster.ts';
import { compareVersions, highestVersion, isVersion } from '../api/version.ts';
import type { ContextWith } from '../clients/services.ts';
import { degradedCases, degradedCondition } from '../conditions/degraded.ts';
import { serverStatefulSet } from '../objects/stateful-set.ts';
import { access } from './access.ts';
import { applied, ofCluster } from './adopted.ts';
import { certificates } from './certificates.ts';
import { config } from './config.ts';
import { network } from './network.ts';
import { deleteOutdatedClaims, hasSameClaims } from './outdated-claims.ts';
import { claimedReplicas, dataClaims, liveClaims } from './servers.ts';
import { step } from './step.ts';
import { unsealKey } from './unseal-key.ts';

/** Runs the servers. */
export const infrastructure = step({
  name: 'Infrastructure',
  condition: degradedCondition,
  needs: { certificates, access, unsealKey, config, network },
  skipped: { certificates: degradedCases.noCertificates() },
  owns: [ofCluster(StatefulSet, 'remove')],
  reads: [
    dataClaims,
    liveClaims,
    reads(Secret, ({ spec }) =>
      spec.unseal.credentialsSecretRef === undefined ? [] : [spec.unseal.credentialsSecretRef.name],
    ),
  ],
  modifies: [modified(PersistentVolumeClaim, 'delete')],
  async run(context) {
    const { object: cluster, get, remove } = context;
    const refused = versionProblem(context);
    if (refused !== undefined) return blocked(refused);
    const missing = missingCredentials(context);
    if (missing !== undefined) return waiting(degradedCases.prerequisitesMissing({ what: missing }));
    const live = get(StatefulSet, namesOf(cluster).statefulSet);
    if (live !== undefined && isTerminating(live)) return waiting(replacing(`StatefulSet ${live.metadata.name}`));
    const desired = desiredStatefulSet(context, live);
    if (cluster.status?.initialized === true) {
      await applied(StatefulSet, live === undefined ? desired : kept(desired, live), context);
      return live !== undefined && isHeldBack(live, desired)
        ? degraded(degradedCases.changeHeld())
        : sized(cluster, desired);
    }
    if (live !== undefined && !hasSameClaims(live, desired)) {
      await remove(StatefulSet, live, { propagation: 'Foreground' });
      return waiting(replacing(`StatefulSet ${live.metadata.name}`));
    }
    const outdated = live === undefined ? await deleteOutdatedClaims(desired, context) : [];
    if (outdated.length > 0) return waiting(replacing(`PersistentVolumeClaim ${outdated.join(', ')}`));
    await applied(StatefulSet, desired, context);
    return ready(degradedCases.prerequisitesReady());
  },
});

type Context = ContextWith<{ config: string; unsealKey: string | undefined }>;

function desiredStatefulSet(context: Context, live: StatefulSet | undefined): StatefulSet {
  const { object: cluster, needs } = context;
  const replicas = replicasOf(context, live);
  const set = serverStatefulSet(cluster, {
    image: imageOf(cluster),
    replicas,
    // Before initialisation every change reaches the pod; afterwards none does.
    partition: cluster.status?.initialized === true ? replicas : 0,
    configHash: needs.config,
    fingerprint: needs.unsealKey,
    sealHasAuthority: credentialsOf(context)?.data?.['ca.crt'] !== undefined,
  });
  const templateHash = createHash('sha256').update(JSON.stringify(set.spec?.template)).digest('hex');
  const marks = { ...set.metadata.annotations, [annotations.templateHash]: templateHash };
  return { ...set, metadata: { ...set.metadata, annotations: marks } };
}

const replacing = (what: string) => degradedCases.prerequisitesMissing({ what: `the deletion of ${what}` });

function sized({ spec }: OpenBaoCluster, { spec: applies }: StatefulSet) {
  const [current, wanted] = [applies?.replicas ?? 0, spec.replicas];
  if (current > wanted) return degraded(degradedCases.scaleDownHeld({ current, wanted }));
  const unapplied = [
    ...((spec.audit ?? []).length > 0 ? ['spec.audit'] : []),
    ...(spec.imageVerification?.enabled === true ? ['spec.imageVerification'] : []),
  ];
  const notice = `not applied by this version of the operator: ${unapplied.join(', ')}`;
  return ready(degradedCases.prerequisitesReady(undefined, unapplied.length === 0 ? undefined : notice));
}

function credentialsOf({ object: { spec }, get }: ContextWith): Secret | undefined {
  const name = spec.unseal.credentialsSecretRef?.name;
  return name === undefined ? undefined : get(Secret, name);
}

/** The Secret without which pods would not start. */
function missingCredentials(context: ContextWith): string | undefined {
  const name = context.object.spec.unseal.credentialsSecretRef?.name;
  return name === undefined || credentialsOf(context) !== undefined
    ? undefined
    : `Secret ${name} with the credentials of the seal`;
}

/** Why servers of the version in the spec must not run on the data. */
function versionProblem({ object: cluster, select }: ContextWith) {
  const { version } = cluster.spec;
  if (!isVersion(version)) return degradedCases.invalidVersion({ version });
  const stamps = select(dataClaims).map(({ metadata }) => metadata.annotations?.[annotations.version]);
  const from = highestVersion([cluster.status?.highestVersion, ...stamps]);
  if (from === undefined || compareVersions(version, from) >= 0) return undefined;
  return degradedCases.downgradeBlocked({ from, to: version });
}

/** Pods are added at once and never removed; before initialisation there is one, unless more have data. */
function replicasOf({ object: cluster, select }: ContextWith, live: StatefulSet | undefined): number {
  const claimed = claimedReplicas(cluster, select(dataClaims));
  if (cluster.status?.initialized === true) return Math.max(cluster.spec.replicas, live?.spec?.replicas ?? claimed);
  return claimed > 1 ? Math.max(cluster.spec.replicas, claimed) : 1;
}

/** Whether the spec asks for another pod template than the one that was written: the servers would have to restart. */
function isHeldBack(live: StatefulSet, desired: StatefulSet): boolean {
  const [former, wanted] = [live, desired].map(({ metadata }) => metadata.annotations?.[annotations.templateHash]);
  return former !== undefined && former !== wanted;
}

/** The desired StatefulSet with what must stay: fields that cannot be changed, and the template while it is held back. */
function kept(desired: StatefulSet, live: StatefulSet): StatefulSet {
  if (desired.spec === undefined || live.spec === undefined) return desired;
  const { volumeClaimTemplates = [], template } = live.spec;
  const spec = hasSameClaims(live, desired) ? desired.spec : { ...desired.spec, volumeClaimTemplates };
  if (!isHeldBack(live, desired)) return { ...desired, spec };
  const { metadata } = live;
  const templateHash = { [annotations.templateHash]: metadata.annotations?.[annotations.templateHash] ?? '' };
  return {
    ...desired,
    metadata: { ...desired.metadata, annotations: { ...desired.metadata.annotations, ...templateHash } },
    spec: { ...spec, template },
  };
}
