// SPDX-License-Identifier: Apache-2.0
import type { StatefulSetSpec } from '@forge/kube/generated/types.ts';
import type { PersistentVolumeClaim, StatefulSet } from '@forge/kube/kinds/builtin.ts';
import { annotations, labelsOf, namesOf } from '../api/names.ts';
import type { OpenBaoCluster } from '../api/openbao-cluster.ts';
import { serverPodTemplate, type PodTemplateInputs } from './pod-template.ts';
import { serverPodLabels } from './server-labels.ts';
import { dataVolume } from './server-volumes.ts';

/** What the StatefulSet depends on besides the spec. */
interface StatefulSetInputs extends PodTemplateInputs {
  readonly replicas: number;
  /** Which pods follow a changed template. */
  readonly updateStrategy: NonNullable<StatefulSetSpec['updateStrategy']>;
  /** Of the key that unseals the data; undefined for other seals. */
  readonly fingerprint: string | undefined;
}

/**
 * The servers. Their pods start at the same time: with ordered starts, one pod that cannot start would keep all later ones from
 * starting, too.
 */
export function serverStatefulSet(cluster: OpenBaoCluster, inputs: StatefulSetInputs): StatefulSet {
  const { statefulSet, headlessService } = namesOf(cluster);
  const { replicas, updateStrategy, fingerprint } = inputs;
  return {
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    metadata: { name: statefulSet, labels: labelsOf(cluster) },
    spec: {
      serviceName: headlessService,
      replicas,
      podManagementPolicy: 'Parallel',
      updateStrategy,
      selector: { matchLabels: serverPodLabels(cluster) },
      template: serverPodTemplate(cluster, inputs),
      volumeClaimTemplates: [dataClaim(cluster, fingerprint)],
      persistentVolumeClaimRetentionPolicy: retainedClaims,
    },
  };
}

/** The default, which is written all the same: with what somebody else could write here, the data would go with the StatefulSet. */
export const retainedClaims = { whenDeleted: 'Retain', whenScaled: 'Retain' } as const;

/**
 * The claim of a pod, with the fingerprint of the key that unseals its data. The list of claim templates has one owner as a whole,
 * so the defaults of the API server are written here, too: otherwise every start of the operator would apply it again.
 */
function dataClaim(cluster: OpenBaoCluster, fingerprint: string | undefined): PersistentVolumeClaim {
  const { size, storageClassName = '' } = cluster.spec.storage;
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: {
      name: dataVolume,
      labels: labelsOf(cluster),
      ...(fingerprint !== undefined && { annotations: { [annotations.unsealKeyFingerprint]: fingerprint } }),
    },
    spec: {
      accessModes: ['ReadWriteOnce'],
      resources: { requests: { storage: size } },
      volumeMode: 'Filesystem',
      ...(storageClassName !== '' && { storageClassName }),
    },
    status: { phase: 'Pending' },
  };
}
