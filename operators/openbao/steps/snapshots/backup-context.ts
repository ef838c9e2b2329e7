// SPDX-License-Identifier: Apache-2.0
import { jobPods } from '@forge/runtime/jobs/run-job.ts';
import type { Outcome } from '@forge/runtime/steps/outcome.ts';
import type { OpenBaoCluster } from '../../api/openbao-cluster.ts';
import type { ContextWith, Services } from '../../clients/services.ts';

/** The context of the step. */
export type BackupContext = ContextWith;

/** What status remembers of snapshots. */
export type BackupStatus = NonNullable<NonNullable<OpenBaoCluster['status']>['backup']>;

/** A snapshot that is being made. */
export type Attempt = NonNullable<BackupStatus['attempt']>;

/** How the step ends. */
export type BackupOutcome = Outcome<undefined, { backup?: BackupStatus }>;

/** The pods of its Jobs. */
export const backupPods = jobPods<OpenBaoCluster, Services>();

/** What is known of the snapshots of a cluster. */
export const knownBackups = ({ status }: OpenBaoCluster): BackupStatus => status?.backup ?? {};

/** A time of status: RFC 3339, UTC, whole seconds. */
export const timeText = (time: number): string => `${new Date(time).toISOString().slice(0, 19)}Z`;

/** The time that a text of status names, in milliseconds. */
export const timeIn = (text: string | undefined): number | undefined =>
  text === undefined ? undefined : Date.parse(text);
