// SPDX-License-Identifier: Apache-2.0
import type { Ingress } from '@forge/kube/kinds/builtin.ts';
import { apiPort, labelsOf, namesOf } from '../api/names.ts';
import type { OpenBaoCluster } from '../api/openbao-cluster.ts';

/** Whether users come through an Ingress. */
export const hasIngress = ({ spec: { ingress } }: OpenBaoCluster): boolean =>
  ingress?.enabled === true && ingress.host.trim() !== '';

/** The Ingress in front of the public Service; undefined when the spec asks for none, or names no host. */
export function publicIngress(cluster: OpenBaoCluster): Ingress | undefined {
  const { ingress } = cluster.spec;
  if (ingress === undefined || !hasIngress(cluster)) return undefined;
  const { className = '', path, tlsSecretName = '', annotations = {} } = ingress;
  const names = namesOf(cluster);
  const host = ingress.host.trim();
  const backend = { service: { name: names.publicService, port: { number: apiPort } } };
  return {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'Ingress',
    metadata: {
      name: names.ingress,
      labels: labelsOf(cluster),
      ...(Object.keys(annotations).length > 0 && { annotations }),
    },
    spec: {
      ...(className !== '' && { ingressClassName: className }),
      tls: [{ hosts: [host], secretName: tlsSecretName || names.serverSecret }],
      rules: [
        {
          host,
          http: { paths: [{ path: path.startsWith('/') ? path : `/${path}`, pathType: 'Prefix', backend }] },
        },
      ],
    },
  };
}
