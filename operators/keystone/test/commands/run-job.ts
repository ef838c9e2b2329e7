// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { setTimeout } from 'node:timers/promises';
import { isTrue } from '@forge/cluster/objects/with-condition.ts';
import { Job, Pod, type CronJob } from '@forge/kube/kinds/builtin.ts';
import type { ProcessCluster } from '@forge/testing/programs/process-cluster.ts';

/** Four releases at a time on a small machine, where a command takes three seconds alone. */
const longest = 180_000;

/** Runs a Job to its end; fails with the end of its pods' logs. */
export async function runJob({ client }: ProcessCluster, namespace: string, job: Job): Promise<void> {
  const ref = { namespace, name: job.metadata.name };
  await client.create(Job, { ...job, metadata: { ...job.metadata, namespace } });
  const problem = async () => {
    const { items } = await client.list(Pod, { namespace, labelSelector: `job-name=${ref.name}` });
    return items.map(({ status }) => JSON.stringify(status?.containerStatuses ?? status)).join('\n');
  };
  for (const end = Date.now() + longest; Date.now() < end; await setTimeout(100)) {
    const { status } = await client.get(Job, ref);
    if (isTrue(status?.conditions, 'Complete')) return;
    if (isTrue(status?.conditions, 'Failed')) assert.fail(`Job ${ref.name} failed: ${await problem()}`);
  }
  assert.fail(`Job ${ref.name} did not end within ${longest / 1000} s: ${await problem()}`);
}

/** The Job of a CronJob, as `kubectl create job --from` makes it. */
export function jobFrom({ metadata: { name, labels }, spec }: CronJob): Job {
  const { jobTemplate } = spec;
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name, ...(labels && { labels }) },
    ...(jobTemplate.spec && { spec: jobTemplate.spec }),
  };
}
