// SPDX-License-Identifier: Apache-2.0
import type { Kind } from '@forge/kube/kinds/kind.ts';
import { MariaDB } from '@forge/kube/third-party/mariadb.ts';
import { Memcached } from '@forge/kube/third-party/memcached.ts';
import type { WebhookContext } from '@forge/runtime/webhook/webhook.ts';
import type { ControlPlane } from '../api/control-plane.ts';
import { cacheClusterOf, databaseClusterOf } from '../api/settings.ts';

const places = [
  { kind: MariaDB as Kind, block: 'database', nameOf: databaseClusterOf },
  { kind: Memcached as Kind, block: 'cache', nameOf: cacheClusterOf },
];

/** A cluster that a ControlPlane names, and those that there are. */
interface NamedCluster {
  readonly kind: string;
  readonly block: string;
  readonly namespace: string;
  readonly wanted: string;
  readonly names: readonly string[];
}

/** The warning about a cluster that does not exist. */
export const missingCluster = ({ kind, block, namespace, wanted, names }: NamedCluster) =>
  `spec.infrastructure.${block}.clusterRef.name: namespace ${namespace} has no ${kind} ${wanted}, and an empty one is created; ` +
  `to use ${names.toSorted().join(' or ')}, delete the ControlPlane and create it with that name`;

/**
 * Warns when a new ControlPlane names a MariaDB or Memcached that does not exist although its namespace has others: a misspelt
 * name creates another, empty one. Kinds that cannot be read cause no warning.
 */
export async function missingClusters(
  controlPlane: ControlPlane,
  { client, signal }: Pick<WebhookContext, 'client' | 'signal'>,
): Promise<string[]> {
  const { namespace = '' } = controlPlane.metadata;
  const warnings = places.map(async ({ kind, block, nameOf }) => {
    const wanted = nameOf(controlPlane);
    if (wanted === undefined) return [];
    const { items } = await client.list(kind, { namespace, signal }).catch(() => ({ items: [] }));
    const names = items.map(({ metadata: { name } }) => name);
    if (names.length === 0 || names.includes(wanted)) return [];
    return [missingCluster({ kind: kind.kind, block, namespace, wanted, names })];
  });
  return (await Promise.all(warnings)).flat();
}
