// SPDX-License-Identifier: Apache-2.0
import { timeZone, utc } from '@forge/cron/time-zone.ts';
import type { CronJob, Job } from '@forge/kube/kinds/builtin.ts';
import { controllerReference } from '@forge/runtime/objects/owner-reference.ts';

const scheduledTimestamp = 'batch.kubernetes.io/cronjob-scheduled-timestamp';

/** The name of the Job for a scheduled time: always the same, so that no Job is created twice. */
export function jobNameOf({ metadata }: CronJob, time: number): string {
  return `${metadata.name}-${Math.floor(time / 60_000)}`;
}

/** The Job of a CronJob for a scheduled time. */
export function jobOf(cronJob: CronJob, time: number): Job {
  const { jobTemplate, timeZone: zone } = cronJob.spec;
  const { labels, annotations } = jobTemplate.metadata ?? {};
  const { namespace } = cronJob.metadata;
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: {
      name: jobNameOf(cronJob, time),
      ...(namespace !== undefined && { namespace }),
      ...(labels !== undefined && { labels }),
      annotations: { ...annotations, [scheduledTimestamp]: zonedTime(time, zone) },
      ownerReferences: [controllerReference(cronJob)],
    },
    ...(jobTemplate.spec !== undefined && { spec: jobTemplate.spec }),
  };
}

/** The time in RFC 3339, with the offset of the zone. */
function zonedTime(time: number, zone: string | undefined): string {
  const offset = ((zone === undefined ? undefined : timeZone(zone)) ?? utc).offsetAt(time);
  const wall = new Date(time + offset).toISOString().slice(0, 'yyyy-mm-ddThh:mm:ss'.length);
  if (offset === 0) return `${wall}Z`;
  const ahead = new Date(Math.abs(offset)).toISOString().slice('yyyy-mm-ddT'.length, 'yyyy-mm-ddThh:mm'.length);
  return `${wall}${offset < 0 ? '-' : '+'}${ahead}`;
}
