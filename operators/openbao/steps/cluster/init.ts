// SPDX-License-Identifier: Apache-2.0
import { PersistentVolumeClaim, type Pod, Secret, StatefulSet } from '@forge/kube/kinds/builtin.ts';
import { podProblem } from '@forge/runtime/jobs/pod-problem.ts';
import { modified } from '@forge/runtime/steps/modified.ts';
import { ready, waiting, type Outcome } from '@forge/runtime/steps/outcome.ts';
import { owned } from '@forge/runtime/steps/owned.ts';
import { reads } from '@forge/runtime/steps/reads.ts';
import { annotations, clusterLabel, namesOf, podUrl } from '../../api/names.ts';
import type { Health } from '../../clients/openbao-answers.ts';
import { OpenBaoError } from '../../clients/openbao-error.ts';
import { degradedCases, degradedCondition } from '../../conditions/degraded.ts';
import { initializationEvents as events, initialized as cases } from '../../conditions/initialization.ts';
import { certificates } from '../certificates.ts';
import { hasStarted, isServing, labelOf, liveClaims, podsOf, serverPods } from '../servers.ts';
import { step } from '../step.ts';
import { infrastructure } from './infrastructure.ts';
import { initialize, withoutIntent, type InitContext, type InitStatus } from './initialize.ts';

/** Initialises the cluster, once, and stores its root token. */
export const init = step({
  name: 'Init',
  condition: 'OpenBaoInitialized',
  conditions: [degradedCondition],
  needs: { certificates, infrastructure },
  owns: [owned(Secret, ['create'])],
  reads: [
    serverPods,
    reads(StatefulSet, (cluster) => [namesOf(cluster).statefulSet], { selector: clusterLabel }),
    liveClaims,
    reads(PersistentVolumeClaim, (cluster) => [namesOf(cluster).claim(0)], { live: true }),
    reads(Secret, (cluster) => [namesOf(cluster).rootTokenSecret], { live: true }),
  ],
  modifies: [modified(PersistentVolumeClaim, 'patch'), modified(Secret, 'dryRunCreate')],
  writes: ['initialized'],
  async run(context) {
    const { object: cluster, get } = context;
    if (cluster.status?.initialized === true) return ready(cases.initialized());
    const name = namesOf(cluster).pod(0);
    const pods = podsOf(context);
    if (pods.some((pod) => pod.metadata.name !== name && isServing(pod) && labelOf(pod, 'initialized') === true))
      return await found(context);
    const pod = pods.find(({ metadata }) => metadata.name === name);
    if (pod === undefined || !hasStarted(pod)) return waiting(cases.noPod({ pod: name }, podProblem(pods)));
    const health = await healthOf(name, context);
    if (typeof health === 'string') return waiting(unreachable(context, name, health));
    if (health.initialized) return await found(context);
    const set = get(StatefulSet, namesOf(cluster).statefulSet);
    return isCurrent(pod, set) ? await initialize(health, context) : waiting(cases.noPod({ pod: name }));
  },
});

/** Whether the pod has the latest template: otherwise it is about to be replaced, perhaps during the call. */
function isCurrent({ metadata }: Pod, set: StatefulSet | undefined): boolean {
  const { observedGeneration, updateRevision } = set?.status ?? {};
  const isObserved = observedGeneration !== undefined && observedGeneration === set?.metadata.generation;
  return isObserved && metadata.labels?.['controller-revision-hash'] === updateRevision;
}

/** The health that the pod reports, or why it reports none. */
async function healthOf(pod: string, { object, needs, services, signal }: InitContext): Promise<Health | string> {
  try {
    return await services.openbao.health({ url: podUrl(object, pod), ...needs.certificates }, signal);
  } catch (error) {
    if (error instanceof OpenBaoError) return error.message;
    throw error;
  }
}

function unreachable({ services }: InitContext, pod: string, cause: string) {
  return services.ownNamespace === undefined ? cases.outside({ pod }, cause) : cases.noAnswer({ pod }, cause);
}

/** The cluster is initialised already: by us in an earlier pass, or as an earlier cluster of this name. */
async function found(context: InitContext): Promise<Outcome<undefined, InitStatus>> {
  const { object: cluster, fetch, event } = context;
  const names = namesOf(cluster);
  const secret = names.rootTokenSecret;
  const claim = await fetch(PersistentVolumeClaim, names.claim(0));
  const hasToken = ((await fetch(Secret, secret))?.data?.['token'] ?? '') !== '';
  const hasIntent = claim?.metadata.annotations?.[annotations.initialization] !== undefined;
  if (hasIntent && !hasToken) {
    const Degraded = degradedCases.rootTokenLost({ claim: names.claim(0), pod: names.pod(0), secret });
    return ready(cases.tokenLost(), { conditions: { Degraded } });
  }
  if (!hasToken) await event(events.tokenMissing({ secret }));
  if (claim !== undefined) await withoutIntent(claim, context);
  return ready(cases.initialized(), { status: { initialized: true } });
}
