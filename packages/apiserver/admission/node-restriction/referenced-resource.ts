// SPDX-License-Identifier: Apache-2.0
import type { Volume, VolumeProjection } from '@forge/kube/generated/types.ts';
import type { Pod } from '@forge/kube/kinds/builtin.ts';
import { configMapNamesOf, secretNamesOf } from '../../access/pod-references.ts';

/** A resource that a pod references, with the field that does; undefined when it references none. */
export function referencedResource(pod: Pod): string | undefined {
  const { serviceAccountName = '', resourceClaims = [], volumes = [] } = pod.spec ?? {};
  if (serviceAccountName !== '') return 'serviceaccounts';
  if (secretNamesOf(pod).some(Boolean)) return 'secrets';
  if (configMapNamesOf(pod).some(Boolean)) return 'configmaps';
  if (resourceClaims.length > 0) return 'resourceclaims';
  return volumes.map(volumeReference).find((each) => each !== undefined);
}

function volumeReference(volume: Volume): string | undefined {
  const { configMap, secret, csi, glusterfs, persistentVolumeClaim, ephemeral, azureFile, projected } = volume;
  if (configMap !== undefined) return 'configmaps (via configmap volumes)';
  if (secret !== undefined) return 'secrets (via secret volumes)';
  if (csi !== undefined) return 'csidrivers (via CSI volumes)';
  if (glusterfs !== undefined) return 'endpoints (via glusterFS volumes)';
  if (persistentVolumeClaim !== undefined) return 'persistentvolumeclaims';
  if (ephemeral !== undefined) return 'persistentvolumeclaims (via ephemeral volumes)';
  if (azureFile !== undefined) return 'secrets (via azureFile volumes)';
  return projected?.sources?.map(projectedReference).find((each) => each !== undefined);
}

function projectedReference(source: VolumeProjection): string | undefined {
  if (source.configMap !== undefined) return 'configmaps (via projected volumes)';
  if (source.secret !== undefined) return 'secrets (via projected volumes)';
  if (source.serviceAccountToken !== undefined) return 'serviceaccounts (via projected volumes)';
  if (source.clusterTrustBundle !== undefined) return 'clustertrustbundles';
  if (source.podCertificate !== undefined) return 'podcertificates';
  return undefined;
}
