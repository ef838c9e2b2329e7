// SPDX-License-Identifier: Apache-2.0
import { Job } from '@forge/kube/kinds/builtin.ts';
import { milliseconds, seconds } from '@forge/runtime/environment/duration.ts';
import { checkpoint, ready } from '@forge/runtime/steps/outcome.ts';
import { annotations, backupJobName } from '../../api/names.ts';
import type { OpenBaoCluster } from '../../api/openbao-cluster.ts';
import { backingUp, backupEvents } from '../../conditions/backing-up.ts';
import type { BackupSpec } from '../../objects/backup/backup-spec.ts';
import {
  knownBackups,
  timeIn,
  timeText,
  type BackupContext,
  type BackupOutcome,
  type BackupStatus,
} from '../snapshots/backup-context.ts';
import { missingSecret } from '../snapshots/job-secrets.ts';
import { obstacleTo } from './obstacles.ts';
import { lateness, readSchedule, slotsAt } from './slots.ts';

/** What asks for a snapshot now. */
interface Request {
  readonly slot: number | undefined;
  readonly trigger: string | undefined;
}

/** Begins a snapshot that is due or asked for, and otherwise says when the next one is. The name of its Job is written ahead. */
export async function planSnapshot(backup: BackupSpec, context: BackupContext): Promise<BackupOutcome> {
  const { object: cluster, clock, event } = context;
  const { nextScheduledBackup: planned, ...known } = knownBackups(cluster);
  const now = clock.now();
  const read = readSchedule(backup.schedule, now);
  const slots = 'problem' in read ? undefined : slotsAt(read.schedule, timeIn(planned), now);
  if (slots?.missed !== undefined) await event(backupEvents.missed({ time: timeText(slots.missed) }));
  const request = { slot: untried(slots?.due, context), trigger: newTrigger(cluster) };
  const isWanted = request.slot !== undefined || request.trigger !== undefined;
  const missing = missingSecret(backup, context);
  const obstacle = obstacleTo(context);
  const following = slots?.next === undefined ? {} : { nextScheduledBackup: timeText(slots.next) };
  if (isWanted && missing === undefined && obstacle === undefined)
    return checkpoint({ backup: { ...known, ...following, ...attemptFor(request, context) } });

  // A slot that waits stays the planned one, until it is too late for it.
  const next = request.slot === undefined || planned === undefined ? following : { nextScheduledBackup: planned };
  const status = { backup: { ...known, ...next } };
  const problem = 'problem' in read ? read.problem : missing;
  if (isWanted && obstacle !== undefined)
    return ready(problem ?? backingUp.due({ what: obstacle }), { status, recheck: seconds(5) });
  const change = request.slot === undefined ? slots?.next : request.slot + lateness;
  const recheck = change !== undefined && { recheck: milliseconds(Math.max(0, change - now)) };
  return ready(problem ?? settledText(status.backup), { status, ...recheck });
}

/** What is said while nothing is being made. */
function settledText({ lastFailureReason: cause, lastBackupName: name, nextScheduledBackup }: BackupStatus) {
  if (cause !== undefined) return backingUp.failed({ cause });
  return name === undefined ? backingUp.idle({ time: nextScheduledBackup ?? '' }) : backingUp.succeeded({ name });
}

/** The slot, unless it was tried before: the clock may have been set back. */
function untried(slot: number | undefined, { object: cluster, get }: BackupContext): number | undefined {
  if (slot === undefined || timeIn(knownBackups(cluster).lastAttemptScheduledTime) === slot) return undefined;
  return get(Job, backupJobName(cluster, new Date(slot))) === undefined ? slot : undefined;
}

/** As much of a value as tells it from others. */
const triggerLength = 256;

/** The value of the annotation, if it has not been acted upon. */
function newTrigger(cluster: OpenBaoCluster): string | undefined {
  const value = cluster.metadata.annotations?.[annotations.triggerBackup]?.slice(0, triggerLength) ?? '';
  return value === '' || value === knownBackups(cluster).lastTrigger ? undefined : value;
}

/** What status holds from the beginning of a snapshot on. */
function attemptFor({ slot, trigger }: Request, context: BackupContext): BackupStatus {
  const { object: cluster, clock } = context;
  const time = slot ?? freeTime(context);
  return {
    ...(slot !== undefined && { lastAttemptScheduledTime: timeText(slot) }),
    ...(trigger !== undefined && { lastTrigger: trigger }),
    lastAttemptTime: timeText(Math.max(clock.now(), time)),
    attempt: {
      job: backupJobName(cluster, new Date(time)),
      time: timeText(time),
      ...(trigger !== undefined && { trigger }),
    },
  };
}

const second = 1000;

/** The first second from now on that no Job is named after. */
function freeTime({ object: cluster, clock, get }: BackupContext): number {
  const last = timeIn(knownBackups(cluster).lastAttemptTime) ?? 0;
  let time = Math.max(Math.floor(clock.now() / second) * second, last + second);
  while (get(Job, backupJobName(cluster, new Date(time))) !== undefined) time += second;
  return time;
}
