// SPDX-License-Identifier: Apache-2.0
import { conditionCases } from '@forge/runtime/conditions/cases.ts';
import type { Gauge } from '@forge/runtime/observability/metrics.ts';
import { metricPrefix } from '../api/names.ts';

/** How many pods are ready. */
export const available = conditionCases('Available', {
  all: {
    status: 'True',
    reason: 'AllReplicasReady',
    message: '{ready} of {replicas} pods are ready',
    recheck: 'computed',
  },
  none: {
    status: 'False',
    reason: 'NoReplicasReady',
    message: 'No pod is ready',
    suffix: 'optional',
    recheck: 'computed',
  },
  some: {
    status: 'False',
    reason: 'NotReady',
    message: '{ready} of {replicas} pods are ready',
    suffix: 'optional',
    recheck: 'computed',
  },
  paused: { status: 'Unknown', reason: 'Paused', message: 'Nothing is changed while spec.paused is true' },
});

export const sealedCondition = { type: 'OpenBaoSealed', inverse: true } as const;

/** Whether the first pod is sealed. */
export const sealed = conditionCases(sealedCondition, {
  unsealed: { status: 'False', reason: 'Unsealed', message: 'Pod {pod} is unsealed' },
  sealed: { status: 'True', reason: 'Sealed', message: 'Pod {pod} is sealed' },
  unknown: { status: 'Unknown', reason: 'Unknown', message: 'Pod {pod} does not run, or has not reported it yet' },
});

/** Whether a pod leads. */
export const leader = conditionCases('OpenBaoLeader', {
  found: { status: 'True', reason: 'LeaderFound', message: 'Pod {pod} leads' },
  unknown: { status: 'Unknown', reason: 'LeaderUnknown', message: 'No ready pod reports that it leads' },
  several: { status: 'False', reason: 'MultipleLeaders', message: 'Pods {pods} report that they lead' },
});

export const etcdEncryptionCondition = { type: 'EtcdEncryptionWarning', inverse: true, informational: true } as const;

/** A reminder of what nobody can check from inside the cluster. */
export const etcdEncryption = conditionCases(etcdEncryptionCondition, {
  unknown: {
    status: 'True',
    reason: 'EtcdEncryptionUnknown',
    message:
      'The Secrets of the cluster are only as safe as etcd: make sure that it is encrypted at rest, which the operator cannot see',
  },
});

const labels = ['namespace', 'name'] as const;

export const readyReplicas: Gauge<'namespace' | 'name'> = {
  type: 'gauge',
  name: `${metricPrefix}_cluster_ready_replicas`,
  help: 'Pods that are ready.',
  labels,
};

export const clusterPhase: Gauge<'namespace' | 'name' | 'phase'> = {
  type: 'gauge',
  name: `${metricPrefix}_cluster_phase`,
  help: '1 for the phase that the cluster is in, 0 for the others.',
  labels: [...labels, 'phase'],
};
