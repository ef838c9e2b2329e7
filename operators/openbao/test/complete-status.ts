// SPDX-License-Identifier: Apache-2.0
import type { OpenBaoCluster } from '../api/openbao-cluster.ts';

const time = '2026-03-01T12:00:00Z';

/** A status in which an upgrade, a blue/green upgrade and snapshots have left everything that they write. */
export const completeStatus = (): NonNullable<OpenBaoCluster['status']> => ({
  conditions: [
    {
      type: 'Available',
      status: 'True',
      reason: 'AllReplicasReady',
      message: '',
      observedGeneration: 2,
      lastTransitionTime: time,
    },
  ],
  observedGeneration: 2,
  phase: 'BackingUp',
  activeLeader: 'demo-0',
  readyReplicas: 3,
  currentVersion: '2.6.2',
  highestVersion: '2.7.2',
  initialized: true,
  image: { reference: 'openbao/openbao:2.7.2', digest: 'sha256:1', verifiedFor: 'sha256:2' },
  upgrade: {
    targetVersion: '2.7.2',
    fromVersion: '2.6.2',
    startedAt: time,
    currentPartition: 2,
    completedPods: [2],
    step: 'StepDown',
    stepStartedAt: time,
    lastStepDownTime: time,
    lastErrorReason: 'StepDownTimeout',
    lastErrorMessage: 'demo-0 still leads',
    lastErrorAt: time,
  },
  blueGreen: {
    phase: 'DemotingBlue',
    blueRevision: 'a',
    blueImage: 'openbao/openbao:2.6.2',
    greenRevision: 'b',
    greenImage: 'openbao/openbao:2.7.2',
    greenVersion: '2.7.2',
    startTime: time,
    attempt: 1,
    jobFailureCount: 1,
    lastJobFailure: 'no leader',
    aborting: true,
    abortedGeneration: 1,
  },
  backup: {
    lastBackupTime: time,
    lastAttemptTime: time,
    lastAttemptScheduledTime: time,
    lastBackupSize: 5_000_000_000,
    lastBackupDuration: '4s',
    lastBackupName: 'demo/20260301-120000.snap',
    nextScheduledBackup: time,
    consecutiveFailures: 1,
    lastFailureReason: 'no bucket',
    attempt: { job: 'backup-demo-20260301-120000', time, trigger: 'now' },
    lastTrigger: 'now',
    preUpgrade: { targetVersion: '2.7.2', generation: 2, startedAt: time },
  },
});
