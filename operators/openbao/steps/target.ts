// SPDX-License-Identifier: Apache-2.0
// What the servers should run, and whether that may be. Nothing is written here: who restarts pods asks first.
//
// A version that is lower than the data has seen would never lead again, and a server without its seal exits: both are refused
// before any pod starts or restarts. Pods that run stay as they are then, and everything around them is kept up.
import { createHash } from 'node:crypto';
import { Secret, StatefulSet } from '@forge/kube/kinds/builtin.ts';
import { isTerminating } from '@forge/kube/objects/object.ts';
import { blocked, degraded, ready, waiting } from '@forge/runtime/steps/outcome.ts';
import { reads } from '@forge/runtime/steps/reads.ts';
import { annotations, clusterLabel, imageOf, namesOf, serverLabels } from '../api/names.ts';
import { builtInSeals, withoutOtherSeals } from '../api/seals.ts';
import { compareVersions, highestVersion, isVersion } from '../api/version.ts';
import type { ContextWith } from '../clients/services.ts';
import { degradedCases, degradedCondition } from '../conditions/degraded.ts';
import { serverPodTemplate, type PodTemplateInputs } from '../objects/pod-template.ts';
import { access } from './access.ts';
import { certificates } from './certificates.ts';
import { config } from './config.ts';
import { network } from './network.ts';
import { dataClaims, hasStarted, podsOf, serverPods } from './servers.ts';
import { step } from './step.ts';
import { unsealKey } from './unseal-key.ts';

/** What the servers should run. */
export interface Target {
  readonly version: string;
  /** What their pods are made from. */
  readonly inputs: PodTemplateInputs;
  /** SHA-256 of the pod template that results; the StatefulSet carries that of its own. */
  readonly templateHash: string;
  /** Whether it is what the StatefulSet of an initialised cluster has, must not be, or is a change. */
  readonly decision: 'none' | 'refused' | 'change';
}

/** Decides what the servers should run. */
export const target = step({
  name: 'Target',
  condition: { ...degradedCondition, helperOf: 'Infrastructure' },
  needs: { certificates, access, unsealKey, config, network },
  skipped: { certificates: degradedCases.noCertificates() },
  reads: [
    dataClaims,
    serverPods,
    reads(StatefulSet, (cluster) => [namesOf(cluster).statefulSet], { selector: clusterLabel }),
    reads(Secret, ({ spec }) =>
      spec.unseal.credentialsSecretRef === undefined ? [] : [spec.unseal.credentialsSecretRef.name],
    ),
  ],
  async run(context) {
    const { object: cluster, get } = context;
    const live = get(StatefulSet, namesOf(cluster).statefulSet);
    const refusal = refusalOf(context);
    const runs = cluster.status?.initialized === true && live !== undefined;
    if (refusal !== undefined && !runs) return blocked(refusal);
    const missing = missingCredentials(context);
    if (missing !== undefined) return waiting(degradedCases.prerequisitesMissing({ what: missing }));
    if (live !== undefined && isTerminating(live)) {
      const what = `the deletion of StatefulSet ${live.metadata.name}`;
      return waiting(degradedCases.prerequisitesMissing({ what }));
    }
    if (refusal !== undefined) return degraded(refusal, { output: targetOf(context, 'refused') });
    const found = targetOf(context, 'none');
    return ready({ output: runs && isChange(live, found) ? targetOf(context, 'change') : found });
  },
});

type Context = ContextWith<{ config: string }>;

function targetOf(context: Context, decision: Target['decision']): Target {
  const { object: cluster, needs } = context;
  const inputs = {
    image: imageOf(cluster),
    configHash: needs.config,
    sealHasAuthority: credentialsOf(context)?.data?.['ca.crt'] !== undefined,
  };
  const template = JSON.stringify(serverPodTemplate(cluster, inputs));
  const templateHash = createHash('sha256').update(template).digest('hex');
  return { version: cluster.spec.version, inputs, templateHash, decision };
}

/** Whether the servers would have to restart: the template of the set is not the one that is asked for now. */
function isChange({ metadata }: StatefulSet, { templateHash }: Target): boolean {
  const mark = metadata.annotations?.[annotations.templateHash];
  return mark !== undefined && mark !== templateHash;
}

/** Why the servers must not run what the spec says. */
function refusalOf(context: ContextWith) {
  const { object: cluster, select } = context;
  const { version, unseal, plugins = [] } = cluster.spec;
  if (!isVersion(version)) return degradedCases.invalidVersion({ version });
  const stamps = select(dataClaims).map(({ metadata }) => metadata.annotations?.[annotations.version]);
  // A pod may have started since the last pass, which recorded what ran.
  const reported = podsOf(context).flatMap((pod) =>
    hasStarted(pod) ? [pod.metadata.labels?.[serverLabels.version]] : [],
  );
  const from = highestVersion([cluster.status?.highestVersion, ...stamps, ...reported]);
  if (from !== undefined && compareVersions(version, from) < 0)
    return degradedCases.downgradeBlocked({ from, to: version });
  const hasSeal =
    builtInSeals.has(unseal.type) ||
    compareVersions(version, withoutOtherSeals) < 0 ||
    plugins.some(({ type, name }) => type === 'kms' && name === unseal.type);
  return hasSeal ? undefined : degradedCases.sealUnsupported({ version, type: unseal.type });
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
