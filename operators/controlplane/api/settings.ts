// SPDX-License-Identifier: Apache-2.0
import type { ControlPlane } from './control-plane.ts';
import { defaults } from './defaults.ts';

/** The effective values of fields: without the webhook, those that it would set may be empty. */

/** Name of the MariaDB; undefined when the database is the user's own. This alone decides between managed and brownfield. */
export const databaseClusterOf = ({ spec: { infrastructure } }: ControlPlane) =>
  clusterOf(infrastructure.database, defaults.databaseCluster);

/** Name of the Memcached; undefined when the cache is the user's own. */
export const cacheClusterOf = ({ spec: { infrastructure } }: ControlPlane) =>
  clusterOf(infrastructure.cache, defaults.cacheCluster);

function clusterOf({ clusterRef }: { clusterRef?: { name: string } }, fallback: string): string | undefined {
  return clusterRef && (clusterRef.name || fallback);
}

/** Whether database account and admin password come from OpenBao: the database alone decides, never the cache. */
export const isManaged = (controlPlane: ControlPlane) => databaseClusterOf(controlPlane) !== undefined;

/** Name of the region. */
export const regionOf = ({ spec }: ControlPlane) => spec.region || defaults.region;

/** Name of the Secret that External Secrets creates with the clouds.yaml of the admin application credential. */
export const cloudsYamlOf = ({ spec }: ControlPlane) =>
  spec.korc.adminCredential.cloudCredentialsRef.secretName || defaults.cloudsYaml;

/** Whether the admin application credential cannot create or delete application credentials and trusts. */
export function isRestricted({ spec }: ControlPlane): boolean {
  const { applicationCredential }: { applicationCredential: { restricted?: boolean } } = spec.korc.adminCredential;
  return applicationCredential.restricted ?? true;
}

/** Entry of every clouds.yaml of the ControlPlane. */
export const cloudNameOf = ({ spec }: ControlPlane) =>
  spec.korc.adminCredential.cloudCredentialsRef.cloudName || defaults.cloud;

/** Whether an admin application credential was ever minted: from then on, outages do not stop its renewal. */
export const wasMinted = ({ status }: ControlPlane) => status?.adminApplicationCredential?.lastRotation !== undefined;
