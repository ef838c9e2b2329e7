// SPDX-License-Identifier: Apache-2.0
import type { Container, SecretReference, Volume } from '@forge/kube/generated/types.ts';
import type { PersistentVolume, Pod } from '@forge/kube/kinds/builtin.ts';

/** Whether it is a mirror pod: the API object of a static pod. */
export function isMirrorPod({ metadata }: Pod): boolean {
  return metadata.annotations?.['kubernetes.io/config.mirror'] !== undefined;
}

/** Names of the Secrets that a pod uses. */
export function* secretNamesOf({ spec }: Pod): Generator<string | undefined> {
  for (const { name } of spec?.imagePullSecrets ?? []) yield name;
  for (const { env = [], envFrom = [] } of containersOf(spec)) {
    for (const { secretRef } of envFrom) yield secretRef?.name;
    for (const { valueFrom } of env) yield valueFrom?.secretKeyRef?.name;
  }
  for (const volume of spec?.volumes ?? []) {
    for (const { secret } of volume.projected?.sources ?? []) yield secret?.name;
    yield volumeSecretOf(volume);
  }
}

/** Names of the ConfigMaps that a pod uses. */
export function* configMapNamesOf({ spec }: Pod): Generator<string | undefined> {
  for (const { env = [], envFrom = [] } of containersOf(spec)) {
    for (const { configMapRef } of envFrom) yield configMapRef?.name;
    for (const { valueFrom } of env) yield valueFrom?.configMapKeyRef?.name;
  }
  for (const { configMap, projected } of spec?.volumes ?? []) {
    yield configMap?.name;
    for (const source of projected?.sources ?? []) yield source.configMap?.name;
  }
}

/** Names of the PersistentVolumeClaims that a pod mounts. */
export function* claimNamesOf({ metadata, spec }: Pod): Generator<string | undefined> {
  for (const { name, persistentVolumeClaim, ephemeral } of spec?.volumes ?? []) {
    yield persistentVolumeClaim?.claimName ?? (ephemeral === undefined ? undefined : `${metadata.name}-${name}`);
  }
}

/** Names of the ResourceClaims that a pod uses. */
export function* resourceClaimNamesOf({ spec, status }: Pod): Generator<string | undefined> {
  for (const { name, resourceClaimName } of spec?.resourceClaims ?? []) {
    yield resourceClaimName ?? status?.resourceClaimStatuses?.find((each) => each.name === name)?.resourceClaimName;
  }
  yield status?.extendedResourceClaimStatus?.resourceClaimName;
}

function containersOf(spec: Pod['spec']): Pick<Container, 'env' | 'envFrom'>[] {
  const { initContainers = [], containers = [], ephemeralContainers = [] } = spec ?? {};
  return [...initContainers, ...containers, ...ephemeralContainers];
}

/** The Secret that a volume references; many volume types reference one for credentials. */
function volumeSecretOf({ secret, azureFile, csi, ...others }: Volume): string | undefined {
  const { cephfs, cinder, flexVolume, iscsi, rbd, scaleIO, storageos } = others;
  const [source] = [cephfs, cinder, flexVolume, iscsi, rbd, scaleIO, storageos].filter((each) => each !== undefined);
  return secret?.secretName ?? azureFile?.secretName ?? (csi?.nodePublishSecretRef ?? source?.secretRef)?.name;
}

/** The Secrets that a node needs to mount a volume. */
export function* volumeSecretsOf({ spec }: PersistentVolume): Generator<SecretReference> {
  const { azureFile, csi, cephfs, cinder, flexVolume, iscsi, rbd, scaleIO, storageos, claimRef } = spec ?? {};
  const namespace = claimRef?.namespace ?? '';
  if (azureFile !== undefined) yield { name: azureFile.secretName, namespace: azureFile.secretNamespace ?? namespace };
  for (const source of [cephfs, cinder, flexVolume, iscsi, rbd, scaleIO, storageos]) {
    if (source?.secretRef !== undefined) yield { namespace, ...source.secretRef };
  }
  for (const secret of [csi?.nodePublishSecretRef, csi?.nodeStageSecretRef, csi?.nodeExpandSecretRef]) {
    if (secret !== undefined) yield secret;
  }
}
