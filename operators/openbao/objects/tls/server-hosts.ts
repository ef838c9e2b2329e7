// SPDX-License-Identifier: Apache-2.0
import { isIP } from 'node:net';
import { ipBytes, ipText } from '@forge/pki/ip-bytes.ts';
import { clusterServerName, namesOf } from '../../api/names.ts';
import type { OpenBaoCluster } from '../../api/openbao-cluster.ts';

/** The names and addresses in a server certificate. */
export interface ServerHosts {
  readonly names: readonly string[];
  readonly addresses: readonly string[];
}

/**
 * The names and addresses that the server certificate of a cluster must have: one certificate serves all pods, and both
 * revisions of a blue/green upgrade. Addresses of pods are never among them.
 */
export function serverHosts(cluster: OpenBaoCluster): ServerHosts {
  const { metadata, spec } = cluster;
  const { namespace = '' } = metadata;
  const { headlessService, publicService } = namesOf(cluster);
  const headless = `${headlessService}.${namespace}.svc`;
  const host = spec.ingress?.enabled === true ? spec.ingress.host.trim() : '';
  const extra = spec.tls.extraSANs ?? [];
  const isPublic = spec.service !== undefined || spec.ingress?.enabled === true;
  const inCluster = [
    headless,
    `*.${headless}`,
    ...podNames(cluster).map((pod) => `${pod}.${headless}`),
    `*.${namespace}.svc`,
  ];
  return {
    names: unique([
      'localhost',
      clusterServerName(cluster),
      ...inCluster.flatMap((name) => [name, `${name}.cluster.local`]),
      ...(isPublic ? [`${publicService}.${namespace}.svc`] : []),
      ...(host === '' ? [] : [host]),
      ...extra.filter((each) => isIP(each) === 0),
    ]),
    addresses: unique(['127.0.0.1', ...extra.filter((each) => isIP(each) !== 0).map((each) => ipText(ipBytes(each)))]),
  };
}

/** The pods of the cluster, and of its revisions. */
function podNames(cluster: OpenBaoCluster): string[] {
  const { blueRevision, greenRevision } = cluster.status?.blueGreen ?? {};
  const ordinals = Array.from({ length: cluster.spec.replicas }, (_, ordinal) => ordinal);
  const revisions = [undefined, ...[blueRevision, greenRevision].filter((each) => each !== undefined)];
  return revisions.flatMap((revision) => ordinals.map(namesOf(cluster, revision).pod));
}

const unique = (values: readonly string[]): string[] => [...new Set(values)];
