// SPDX-License-Identifier: Apache-2.0
// A server blocks for minutes at its start if it cannot reach the API server, and without a policy everybody can reach it. So
// the policy is applied before the first pod starts; while the address of the API server is unknown, no pod starts.
import {
  EndpointSlice,
  Ingress,
  NetworkPolicy,
  PodDisruptionBudget,
  Service,
  StatefulSet,
} from '@forge/kube/kinds/builtin.ts';
import { blocked, ready } from '@forge/runtime/steps/outcome.ts';
import { reads, readsLabelled } from '@forge/runtime/steps/reads.ts';
import { clusterLabel, namesOf } from '../api/names.ts';
import type { OpenBaoCluster } from '../api/openbao-cluster.ts';
import type { Services } from '../clients/services.ts';
import { degradedCases, degradedCondition } from '../conditions/degraded.ts';
import { apiServerAccess } from '../objects/api-server-access.ts';
import { publicIngress } from '../objects/ingress.ts';
import { serverNetworkPolicy } from '../objects/network-policy.ts';
import { serverDisruptionBudget } from '../objects/pod-disruption-budget.ts';
import { acmeService, headlessService, publicService } from '../objects/services.ts';
import { applied, ofCluster, wanted } from './adopted.ts';
import { step } from './step.ts';

/** The Service of the API server. */
const apiServer = { namespace: 'default', name: 'kubernetes' } as const;

const apiServerSlices = readsLabelled<OpenBaoCluster, Services, EndpointSlice>(
  EndpointSlice,
  () => ({ 'kubernetes.io/service-name': apiServer.name }),
  { watchedNamespace: apiServer.namespace, selector: `kubernetes.io/service-name=${apiServer.name}` },
);

/** Isolates the pods, and makes them reachable. */
export const network = step({
  name: 'Network',
  condition: { ...degradedCondition, helperOf: 'Infrastructure' },
  owns: [
    ofCluster(NetworkPolicy),
    ofCluster(Service, 'remove'),
    ofCluster(Ingress, 'remove'),
    ofCluster(PodDisruptionBudget, 'remove'),
  ],
  reads: [
    reads(Service, () => [apiServer], { watchedNamespace: apiServer.namespace }),
    apiServerSlices,
    reads(StatefulSet, (cluster) => [namesOf(cluster).statefulSet], { selector: clusterLabel }),
  ],
  async run(context) {
    const { object: cluster, get, select, services } = context;
    const peers = apiServerAccess(cluster, { service: get(Service, apiServer), slices: select(apiServerSlices) });
    if (peers === undefined) return blocked(degradedCases.apiServerUnknown());
    const { ownNamespace } = services;
    await applied(
      NetworkPolicy,
      serverNetworkPolicy(cluster, { apiServer: peers, operatorNamespace: ownNamespace }),
      context,
    );
    const names = namesOf(cluster);
    await applied(Service, headlessService(cluster), context);
    await wanted(Service, names.publicService, publicService(cluster), context);
    await wanted(Service, names.acmeService, acmeService(cluster), context);
    await wanted(Ingress, names.ingress, publicIngress(cluster), context);
    const running = get(StatefulSet, names.statefulSet)?.spec?.replicas ?? 0;
    await wanted(PodDisruptionBudget, names.podDisruptionBudget, serverDisruptionBudget(cluster, running), context);
    return ready();
  },
});
