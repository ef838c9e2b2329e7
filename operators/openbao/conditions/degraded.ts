// SPDX-License-Identifier: Apache-2.0
import { conditionCases } from '@forge/runtime/conditions/cases.ts';
import { membershipRecheck, soon } from './rechecks.ts';

/** The condition that tells people to act; it should be False. */
export const degradedCondition = { type: 'Degraded', inverse: true } as const;

/** The problems of a cluster, and the case without one. */
export const degradedCases = conditionCases(degradedCondition, {
  prerequisitesReady: {
    status: 'False',
    reason: 'PrerequisitesReady',
    message: 'Everything that the pods need is there',
    suffix: 'optional',
  },
  paused: { status: 'False', reason: 'Paused', message: 'Nothing is changed while spec.paused is true' },
  prerequisitesMissing: {
    status: 'True',
    reason: 'PrerequisitesMissing',
    message: 'The StatefulSet waits for {what}',
    recheck: soon,
  },
  noCertificates: {
    status: 'True',
    reason: 'PrerequisitesMissing',
    message: 'The StatefulSet waits for the TLS certificates',
  },
  apiServerUnknown: {
    status: 'True',
    reason: 'PrerequisitesMissing',
    message:
      'The address of the API server is unknown, and without it the NetworkPolicy would cut the pods off from it: set spec.network.apiServerCIDR',
  },
  invalidVersion: {
    status: 'True',
    reason: 'InvalidVersion',
    message: 'spec.version {version} is not a version such as 2.7.2',
  },
  downgradeBlocked: {
    status: 'True',
    reason: 'DowngradeBlocked',
    message: 'Downgrade from {from} to {to} is not allowed',
  },
  sealUnsupported: {
    status: 'True',
    reason: 'SealUnsupported',
    message:
      'OpenBao {version} has no seal {type} built in, and would not start: add a plugin of type kms with the name {type} to spec.plugins',
  },
  unsealKeyMissing: {
    status: 'True',
    reason: 'UnsealKeyMissing',
    message:
      'Secret {name} with the unseal key is missing, or empty; no pod is started or changed until it is restored: copy /etc/bao/unseal/key from a running pod, or a backup, to its key "key"',
  },
  unsealKeyMismatch: {
    status: 'True',
    reason: 'UnsealKeyMismatch',
    message:
      'Secret {name} does not hold the key that unseals the data; no pod is started or changed until it does: delete it, and create it again with /etc/bao/unseal/key of a running pod, or a backup, as its key "key"',
  },
  sealMismatch: {
    status: 'True',
    reason: 'UnsealKeyMismatch',
    message:
      'The data is sealed with the key in Secret {name}, which a seal of type {type} cannot open: set spec.unseal.type to static',
  },
  dataMissing: {
    status: 'True',
    reason: 'DataMissing',
    message:
      'PersistentVolumeClaim {claim} had data, and pod {pod} finds none: bring the volume back, or delete the claim and the pod to begin again without the data',
  },
  rootTokenLost: {
    status: 'True',
    reason: 'RootTokenLost',
    message:
      'OpenBao was initialised, but its answer with the root token was lost, and nobody can log in: delete PersistentVolumeClaim {claim} and Pod {pod} to begin again, or create Secret {secret} with the key "token" if you have the token',
  },
  staleRootToken: {
    status: 'True',
    reason: 'RootTokenLost',
    message:
      'OpenBao is not initialised, but Secret {secret} holds a root token of data that is gone: delete it, so that the new one can be stored',
  },
  peerRemoved: {
    status: 'True',
    reason: 'PeerRemoved',
    message:
      'Pod {pod} is ready, but not a member of the Raft cluster, and what it answers is out of date: delete PersistentVolumeClaim {claim} and Pod {pod}, and it joins again with an empty disk',
    recheck: membershipRecheck,
  },
  scaleDownHeld: {
    status: 'True',
    reason: 'ScaleDownHeld',
    message: '{current} pods stay although spec.replicas is {wanted}: {cause}',
    recheck: soon,
  },
  clusterNotReady: {
    status: 'True',
    reason: 'ClusterNotReady',
    message: 'The upgrade to {version} begins when the cluster is healthy: it waits for {what}',
  },
  preUpgradeBackupFailed: {
    status: 'True',
    reason: 'PreUpgradeBackupFailed',
    message:
      'The snapshot before the upgrade to {version} failed, and nothing was changed: correct the cause, then change spec or the annotation openbao.org/retry-upgrade',
    suffix: 'optional',
  },
  versionsDisagree: {
    status: 'True',
    reason: 'UpgradeFailed',
    message:
      'Pods that run the image {image} report version {reported}, not {version}: correct spec.image or spec.version',
  },
  stepDownTimeout: {
    status: 'True',
    reason: 'StepDownTimeout',
    message:
      'The upgrade is halted: no other pod took over from {pod} within 30 seconds. It goes on once one leads; to ask again, change the annotation openbao.org/retry-upgrade',
    suffix: 'optional',
  },
  stepDownFailed: {
    status: 'True',
    reason: 'StepDownFailed',
    message: 'The upgrade is halted: {pod} leads and cannot be asked to step down. It is tried again every 30 seconds',
    suffix: 'optional',
  },
  upgradedPodNotReady: {
    status: 'True',
    reason: 'PodNotReady',
    message:
      'The upgrade is halted: {pod} was replaced and is not ready after 5 minutes. It goes on once the pod is ready, or with a corrected spec',
    suffix: 'optional',
  },
  healthCheckFailed: {
    status: 'True',
    reason: 'HealthCheckFailed',
    message:
      'The upgrade is halted: {pod} was replaced and is not initialised and unsealed after 2 minutes. It goes on once it is',
    suffix: 'optional',
  },
  raftSyncTimeout: {
    status: 'True',
    reason: 'RaftSyncTimeout',
    message:
      'The upgrade is halted: {pod} was replaced and is not in sync with the leader after 2 minutes. It goes on once it is',
    suffix: 'optional',
  },
  upgradeFailed: {
    status: 'True',
    reason: 'UpgradeFailed',
    message:
      'The upgrade is halted: {pod} runs the image {image}, which is not version {version}. Correct spec.image or spec.version',
    suffix: 'optional',
  },
  podNotReady: {
    status: 'True',
    reason: 'PodNotReady',
    message: '{ready} of {replicas} pods are ready',
    suffix: 'optional',
  },
  leaderUnknown: {
    status: 'True',
    reason: 'LeaderUnknown',
    message: 'No ready pod leads; {ready} of {replicas} are ready',
    suffix: 'optional',
  },
  quorumLost: {
    status: 'True',
    reason: 'QuorumLost',
    message: 'No pod can lead: {ready} of {replicas} are ready, and {quorum} must be',
    suffix: 'optional',
  },
});
