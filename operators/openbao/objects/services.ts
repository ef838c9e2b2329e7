// SPDX-License-Identifier: Apache-2.0
import type { Service } from '@forge/kube/kinds/builtin.ts';
import { apiPort, labelsOf, namesOf } from '../api/names.ts';
import type { OpenBaoCluster } from '../api/openbao-cluster.ts';
import { serverPodLabels } from './server-labels.ts';

type Spec = NonNullable<Service['spec']>;

/** Gives each server its name, even before it is ready: servers find each other by these names in order to become ready. */
export const headlessService = (cluster: OpenBaoCluster): Service =>
  service(cluster, namesOf(cluster).headlessService, {
    clusterIP: 'None',
    publishNotReadyAddresses: true,
    ports: [port('api', apiPort)],
  });

/** The Service for users; undefined when the spec asks for none. */
export function publicService(cluster: OpenBaoCluster): Service | undefined {
  const { service: wanted, ingress } = cluster.spec;
  if (wanted === undefined && ingress?.enabled !== true) return undefined;
  const { type = 'ClusterIP', annotations = {} } = wanted ?? {};
  return service(cluster, namesOf(cluster).publicService, { type, ports: [port('api', apiPort)] }, annotations);
}

/**
 * Where the ACME server validates its challenges, at the ports that it expects; undefined in other modes. It includes pods that
 * are not ready, because they have no certificate before.
 */
export function acmeService(cluster: OpenBaoCluster): Service | undefined {
  if (cluster.spec.tls.mode !== 'ACME') return undefined;
  return service(cluster, namesOf(cluster).acmeService, {
    publishNotReadyAddresses: true,
    ports: [port('http', 80), port('https', 443)],
  });
}

function service(cluster: OpenBaoCluster, name: string, spec: Spec, annotations: Record<string, string> = {}): Service {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: {
      name,
      labels: labelsOf(cluster),
      ...(Object.keys(annotations).length > 0 && { annotations }),
    },
    spec: { ...spec, selector: serverPodLabels(cluster) },
  };
}

const port = (name: string, number: number) => ({ name, port: number, targetPort: apiPort, protocol: 'TCP' });
