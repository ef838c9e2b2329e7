// SPDX-License-Identifier: Apache-2.0
import { eventCases } from '@forge/runtime/conditions/cases.ts';
import { now, seconds } from '@forge/runtime/environment/duration.ts';
import { databaseJob } from './rechecks.ts';

const refused = { status: 'False', counts: 'error' } as const;
const failedPhase = { ...databaseJob, counts: 'error' } as const;
const transition = { status: 'False', recheck: now } as const;

/** What DatabaseReady reports about a tag that does not lead to an upgrade; only the user can change it. */
export const refusedCases = {
  installedNotParsed: {
    ...refused,
    reason: 'VersionParseError',
    message: 'failed to parse installed release "{release}": {error}',
  },
  targetNotParsed: {
    ...refused,
    reason: 'VersionParseError',
    message: 'failed to parse target release "{release}": {error}',
  },
  downgrade: {
    ...refused,
    reason: 'DowngradeNotSupported',
    message: 'downgrade from {from} to {to} is not supported',
  },
  notSequential: {
    ...refused,
    reason: 'UpgradePathInvalid',
    message: 'upgrade from {from} to {to} is not sequential; only sequential upgrades are supported',
  },
  targetChanged: {
    ...refused,
    reason: 'UpgradeTargetChanged',
    message:
      'Image tag changed to {tag} during active upgrade {from} → {target}; complete or roll back the current upgrade first',
  },
} as const;

/** What DatabaseReady reports during an upgrade. The pods keep serving, so none of these stops the steps after it. */
export const upgradeCases = {
  detected: {
    ...transition,
    reason: 'ExpandInProgress',
    message: 'Upgrade detected: {from} → {to} (phase: Expanding)',
  },
  expanding: { ...databaseJob, reason: 'ExpandInProgress', message: 'Expand phase running: {from} → {to}' },
  expandFailed: { ...failedPhase, reason: 'ExpandFailed', message: 'Expand job {job} failed: {error}' },
  expanded: {
    ...transition,
    reason: 'MigrateInProgress',
    message: 'Expand complete, starting migrate: {from} → {to}',
  },
  migrating: { ...databaseJob, reason: 'MigrateInProgress', message: 'Migrate phase running: {from} → {to}' },
  migrateFailed: { ...failedPhase, reason: 'MigrateFailed', message: 'Migrate job {job} failed: {error}' },
  migrated: {
    ...transition,
    reason: 'UpgradeRollingUpdate',
    message: 'Migrate complete, waiting for Deployment rollout: {from} → {to}',
  },
  rollingOut: {
    status: 'False',
    recheck: seconds(10),
    reason: 'UpgradeRollingUpdate',
    message: 'Waiting for Deployment rollout: {from} → {to}',
  },
  rolledOut: {
    ...transition,
    reason: 'UpgradeRollingUpdate',
    message: 'Waiting for Deployment rollout: {from} → {to}',
  },
  contracting: { ...databaseJob, reason: 'ContractInProgress', message: 'Contract phase running: {from} → {to}' },
  contractFailed: { ...failedPhase, reason: 'ContractFailed', message: 'Contract job {job} failed: {error}' },
  upgraded: {
    status: 'True',
    recheck: now,
    reason: 'DatabaseSynced',
    message: 'Database schema is up to date (upgraded {from} → {to})',
  },
} as const;

/** Events about upgrades, and about tags that are refused. */
export const upgradeEvents = eventCases({
  installedNotParsed: {
    type: 'Warning',
    reason: 'VersionParseError',
    message: 'Failed to parse installed release "{release}": {error}',
  },
  targetNotParsed: {
    type: 'Warning',
    reason: 'VersionParseError',
    message: 'Failed to parse target release "{release}": {error}',
  },
  downgrade: {
    type: 'Warning',
    reason: 'DowngradeNotSupported',
    message: 'Downgrade from {from} to {to} is not supported',
  },
  notSequential: {
    type: 'Warning',
    reason: 'UpgradePathInvalid',
    message: 'Upgrade from {from} to {to} is not sequential',
  },
  targetChanged: {
    type: 'Warning',
    reason: 'UpgradeTargetChanged',
    message: 'Image tag changed to {tag} during active upgrade {from} → {target}',
  },
  initiated: { type: 'Normal', reason: 'UpgradeInitiated', message: 'Upgrade initiated: {from} → {to}' },
  aborted: {
    type: 'Normal',
    reason: 'UpgradeAborted',
    message: 'Upgrade {from} → {target} aborted: spec.image.tag reverted to installed release {from}',
  },
  expanded: { type: 'Normal', reason: 'ExpandComplete', message: 'Expand phase complete: {from} → {to}' },
  expandFailed: { type: 'Warning', reason: 'ExpandFailed', message: 'Expand job {job} failed: {error}' },
  migrated: { type: 'Normal', reason: 'MigrateComplete', message: 'Migrate phase complete: {from} → {to}' },
  migrateFailed: { type: 'Warning', reason: 'MigrateFailed', message: 'Migrate job {job} failed: {error}' },
  rolledOut: {
    type: 'Normal',
    reason: 'DeploymentRolloutComplete',
    message: 'Deployment rollout complete during upgrade {from} → {to}',
  },
  contractFailed: { type: 'Warning', reason: 'ContractFailed', message: 'Contract job {job} failed: {error}' },
  upgraded: { type: 'Normal', reason: 'UpgradeComplete', message: 'Upgrade complete: {from} → {to}' },
});
