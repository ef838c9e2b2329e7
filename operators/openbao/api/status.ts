// SPDX-License-Identifier: Apache-2.0
import { int32, int64 } from '@forge/kube/schema/field.ts';
import { choice, conditions } from '@forge/kube/schema/schema-types.ts';
import { Type } from 'typebox';

/** The states of a cluster in one word. */
export const phases = ['Initializing', 'Running', 'Upgrading', 'BackingUp', 'Failed'] as const;

/** What an upgrade does, in this order: first once, then for each pod, at last once. */
const upgradeSteps = [
  'Lock',
  'LeaderCheck',
  'StepDown',
  'Transfer',
  'Release',
  'Ready',
  'Health',
  'RaftSync',
  'Finish',
] as const;

const upgradeStrategies = ['Partition', 'OnDelete'] as const;

const blueGreenPhases = [
  'Idle',
  'DeployingGreen',
  'JoiningMesh',
  'Syncing',
  'Promoting',
  'DemotingBlue',
  'Cleanup',
] as const;

const text = (description: string) => Type.Optional(Type.String({ description }));
const flag = (description: string) => Type.Optional(Type.Boolean({ description }));
const count = (description: string) => Type.Optional(int32(description, {}));
const bigCount = (description: string) => Type.Optional(int64(description));
const time = (description: string) => Type.Optional(Type.String({ description, format: 'date-time' }));

const upgrade = Type.Object(
  {
    targetVersion: text('Version that the upgrade leads to.'),
    fromVersion: text('Version before it; the same when something else is changed.'),
    templateHash: text('SHA-256 of the pod template that it leads to.'),
    strategy: Type.Optional(
      choice(upgradeStrategies, {
        description:
          'How pods are released: Partition from the highest number on; OnDelete one by one, when some are of an abandoned revision.',
      }),
    ),
    startedAt: time('When it began.'),
    currentPartition: count('Ordinal from which on pods are of the new revision.'),
    completedPods: Type.Optional(
      Type.Array(int32('One ordinal.', {}), { description: 'Ordinals of the pods that are done.' }),
    ),
    pod: count('Ordinal of the pod that is being replaced.'),
    podUid: text('Uid of the pod before it is replaced.'),
    podStartedAt: time('When its replacement began.'),
    step: Type.Optional(choice(upgradeSteps, { description: 'What is being done for the current pod.' })),
    stepStartedAt: time('When that began.'),
    lastStepDownTime: time('When a leader was last asked to step down.'),
    lastErrorReason: text('Reason of the last halt.'),
    lastErrorMessage: text('Explanation of the last halt.'),
    lastErrorAt: time('When it was.'),
    haltedGeneration: bigCount('Generation of the spec at the halt: another one resumes the upgrade.'),
    haltedRetry: text(
      'Value of the annotation openbao.org/retry-upgrade at the halt: another one resumes the upgrade.',
    ),
  },
  { description: 'The rolling upgrade under way; absent when there is none.' },
);

const blueGreen = Type.Object(
  {
    phase: Type.Optional(choice(blueGreenPhases, { description: 'Phase of the upgrade; Idle when there is none.' })),
    blueRevision: text('Revision that serves.'),
    blueImage: text('Image of that revision.'),
    greenRevision: text('Revision that is to take over.'),
    greenImage: text('Image of that revision.'),
    greenVersion: text('Version of that revision.'),
    startTime: time('When the phase began.'),
    attempt: count('Number of the attempt, which is part of the names of its Jobs.'),
    jobFailureCount: count('Jobs of the attempt that failed.'),
    lastJobFailure: text('The last of them.'),
    aborting: flag('Whether the attempt is being undone.'),
    abortedGeneration: bigCount('Generation of the spec whose upgrade was undone; it does not begin again by itself.'),
  },
  { description: 'The blue/green upgrade; absent with RollingUpdate.' },
);

const backup = Type.Object(
  {
    lastBackupTime: time('When the last snapshot was complete.'),
    lastAttemptTime: time('When a snapshot was last tried.'),
    lastAttemptScheduledTime: time('The time of the schedule that this attempt was for.'),
    lastBackupSize: bigCount('Bytes of the last snapshot.'),
    lastBackupDuration: text('How long it took.'),
    lastBackupName: text('Its name in the bucket.'),
    nextScheduledBackup: time('When the next one is due.'),
    consecutiveFailures: count('Attempts that failed since the last success.'),
    lastFailureReason: text('Why the last one failed.'),
    attempt: Type.Optional(
      Type.Object(
        {
          job: Type.String({ description: 'Its Job.' }),
          time: Type.String({
            description: 'The time that Job and snapshot are named after.',
            format: 'date-time',
          }),
          trigger: text('Value of the annotation that asked for it; absent when it was due.'),
        },
        { description: 'The snapshot that is being made; absent when there is none.' },
      ),
    ),
    lastTrigger: text('Value of the annotation openbao.org/trigger-backup that was last acted upon.'),
    preUpgrade: Type.Optional(
      Type.Object(
        {
          targetVersion: text('Version that the upgrade leads to.'),
          generation: bigCount('Generation of the spec that asked for it.'),
          startedAt: time('When it began, which is part of the name of its Job.'),
          retry: text('Value of the annotation openbao.org/retry-upgrade when it began.'),
          result: Type.Optional(
            choice(['Succeeded', 'Failed'], { description: 'How it ended; absent while it is being made.' }),
          ),
          reason: text('Why it failed.'),
        },
        { description: 'The snapshot before the last upgrade to another version.' },
      ),
    ),
  },
  { description: 'Snapshots; absent until spec.backup is set.' },
);

const image = Type.Object(
  {
    reference: text('Image as the spec names it.'),
    digest: text('Digest that it was resolved to.'),
    verifiedFor: text('Digest of the image, version and public key for which this was decided.'),
  },
  { description: 'The image that was resolved and verified; absent without spec.imageVerification.' },
);

/** What the operator observed and remembers. */
export const status = Type.Object(
  {
    conditions: conditions(),
    observedGeneration: bigCount('Generation of the spec that was reconciled last.'),
    phase: Type.Optional(choice(phases, { description: 'State of the cluster in one word.' })),
    activeLeader: text('Pod that leads; absent when nobody knows of one.'),
    readyReplicas: count('Pods that are ready.'),
    currentVersion: text('Version that all pods run; during an upgrade the one before it.'),
    highestVersion: text('Highest version that any server of the cluster has reported; lower ones are refused.'),
    initialized: flag('Whether the cluster is initialised. It never turns back.'),
    unsealKeyFingerprint: text('SHA-256 of the key that unseals the data; with the static seal.'),
    image: Type.Optional(image),
    upgrade: Type.Optional(upgrade),
    blueGreen: Type.Optional(blueGreen),
    backup: Type.Optional(backup),
  },
  { description: 'State of the cluster as the operator last observed it.' },
);
