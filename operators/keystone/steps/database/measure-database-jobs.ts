// SPDX-License-Identifier: Apache-2.0
import { Job } from '@forge/kube/kinds/builtin.ts';
import { minutes } from '@forge/runtime/environment/duration.ts';
import { hasElapsed } from '@forge/runtime/environment/has-elapsed.ts';
import { isControlledBy } from '@forge/runtime/objects/owner-reference.ts';
import { Keystone } from '../../api/keystone.ts';
import { lastJobAnnotation, namesOf } from '../../api/names.ts';
import { databaseJobDuration, databaseJobs } from '../../conditions/database-metrics.ts';
import { databaseEvents } from '../../conditions/database.ts';
import type { DatabaseContext } from './database-context.ts';

/** How long a Job that could not be measured is kept for the next attempt. */
const patience = minutes(2);

/**
 * Measures every Job on the database that has ended, once: the Keystone remembers its uid. One that could not be remembered
 * is measured in a later pass, even when the phase that ran it is over. Returns whether there is one that ended just now:
 * it should not be deleted yet.
 */
export async function measureDatabaseJobs(context: DatabaseContext): Promise<boolean> {
  let isDeferred = false;
  const { dbSync, schemaCheck, dbExpand, dbMigrate, dbContract } = namesOf(context.object);
  for (const name of [dbSync, schemaCheck, dbExpand, dbMigrate, dbContract]) {
    const job = context.get(Job, name);
    if (job === undefined || !isControlledBy(job, context.object) || (await measure(job, context))) continue;
    isDeferred ||= !hasElapsed(
      Date.parse(endOf(job)?.lastTransitionTime ?? job.metadata.creationTimestamp ?? ''),
      patience,
      context.clock.now(),
    );
  }
  return isDeferred;
}

/** Measures the Job if it has ended; whether nothing is left to do. */
async function measure(job: Job, { object, patch, metrics, event, signal }: DatabaseContext): Promise<boolean> {
  const { name, namespace = '', annotations = {} } = object.metadata;
  const { uid = '', creationTimestamp = '' } = job.metadata;
  const end = endOf(job);
  const suffix = job.metadata.name.slice(name.length + 1);
  const annotation = lastJobAnnotation(suffix);
  if (end === undefined || annotations[annotation] === uid) return true;
  try {
    await patch(Keystone, object, { metadata: { annotations: { [annotation]: uid } } });
  } catch (error) {
    signal.throwIfAborted();
    const text = error instanceof Error ? error.message : String(error);
    await event(databaseEvents.metricDeferred({ suffix, error: text }));
    return false;
  }
  const labels = { keystone: name, namespace };
  metrics.count(databaseJobs, { ...labels, result: end.type === 'Complete' ? 'succeeded' : 'failed' });
  const ended = Date.parse(end.lastTransitionTime ?? creationTimestamp);
  metrics.observe(databaseJobDuration, labels, Math.max(0, (ended - Date.parse(creationTimestamp)) / 1000));
  return true;
}

function endOf({ status }: Job) {
  return status?.conditions?.find(
    ({ type, status: is }) => is === 'True' && (type === 'Complete' || type === 'Failed'),
  );
}
