// SPDX-License-Identifier: Apache-2.0
import { conditionCases, eventCases } from '@forge/runtime/conditions/cases.ts';
import { soon } from './rechecks.ts';

/** Whether pods are being replaced. */
export const upgradingCondition = { type: 'Upgrading', inverse: true, informational: true } as const;

const halted = (reason: string) =>
  ({
    status: 'False',
    reason,
    message: 'The upgrade to {version} is halted at pod {pod}: Degraded says why',
    recheck: soon,
  }) as const;

/** What is reported about the replacement of pods, of which an upgrade is one. */
export const upgrading = conditionCases(upgradingCondition, {
  idle: { status: 'False', reason: 'Idle', message: 'The pods have the template that the spec asks for' },
  refused: { status: 'False', reason: 'Idle', message: 'The pods keep their template: Degraded says why' },
  clusterNotReady: {
    status: 'False',
    reason: 'ClusterNotReady',
    message: 'The upgrade to {version} waits for {what}',
    recheck: soon,
  },
  snapshotFailed: {
    status: 'False',
    reason: 'PreUpgradeBackupFailed',
    message: 'The upgrade to {version} waits for the snapshot before it, which failed: Degraded says why',
  },
  started: {
    status: 'True',
    reason: 'UpgradeStarted',
    message: 'Upgrading {replicas} pods from {from} to {to}',
    recheck: soon,
  },
  inProgress: {
    status: 'True',
    reason: 'UpgradeInProgress',
    message: 'Pod {pod}, the {number}. of {replicas}, is upgraded to {version} (partition {partition})',
    suffix: 'optional',
    recheck: 'computed',
  },
  finishing: {
    status: 'True',
    reason: 'UpgradeInProgress',
    message: 'All {replicas} pods are upgraded to {version}; waiting until all of them are ready',
    recheck: soon,
  },
  complete: {
    status: 'False',
    reason: 'UpgradeComplete',
    message: 'All pods were upgraded from {from} to {to}',
    recheck: 'computed',
  },
  versionMismatch: {
    status: 'False',
    reason: 'VersionMismatch',
    message: 'The upgrade to {former} ends where it is: the spec asks for something else now',
    recheck: 'computed',
  },
  paused: {
    status: 'False',
    reason: 'UpgradePaused',
    message: 'The upgrade to {version} goes on when spec.paused is false',
  },
  stepDownTimeout: halted('StepDownTimeout'),
  stepDownFailed: halted('StepDownFailed'),
  podNotReady: halted('PodNotReady'),
  healthCheckFailed: halted('HealthCheckFailed'),
  raftSyncTimeout: halted('RaftSyncTimeout'),
  upgradeFailed: halted('UpgradeFailed'),
});

/** Events of upgrades. */
export const upgradeEvents = eventCases({
  started: { type: 'Normal', reason: 'UpgradeStarted', message: 'Upgrading {replicas} pods from {from} to {to}' },
  podUpgraded: { type: 'Normal', reason: 'PodUpgraded', message: 'Pod {pod} runs {version}, and is in sync' },
  complete: { type: 'Normal', reason: 'UpgradeComplete', message: 'All pods were upgraded from {from} to {to}' },
  withoutQuorum: {
    type: 'Warning',
    reason: 'UpgradeInterrupts',
    message: 'With fewer than 3 replicas, nothing can be read or written while a pod restarts',
  },
  skipsVersions: {
    type: 'Warning',
    reason: 'UpgradeSkipsVersions',
    message: 'From {from} to {to} versions are skipped: read their release notes',
  },
  snapshotFailed: { type: 'Warning', reason: 'PreUpgradeBackupFailed', message: '{cause}' },
  stepDownTimeout: { type: 'Warning', reason: 'StepDownTimeout', message: '{cause}' },
  stepDownFailed: { type: 'Warning', reason: 'StepDownFailed', message: '{cause}' },
  podNotReady: { type: 'Warning', reason: 'PodNotReady', message: '{cause}' },
  healthCheckFailed: { type: 'Warning', reason: 'HealthCheckFailed', message: '{cause}' },
  raftSyncTimeout: { type: 'Warning', reason: 'RaftSyncTimeout', message: '{cause}' },
  upgradeFailed: { type: 'Warning', reason: 'UpgradeFailed', message: '{cause}' },
});
