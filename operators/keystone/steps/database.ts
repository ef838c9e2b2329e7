// SPDX-License-Identifier: Apache-2.0
import { Job } from '@forge/kube/kinds/builtin.ts';
import { parseRelease } from '@forge/openstack/release.ts';
import { jobPods, runJob } from '@forge/runtime/jobs/run-job.ts';
import { failed, ready, waiting } from '@forge/runtime/steps/outcome.ts';
import { owned } from '@forge/runtime/steps/owned.ts';
import { databaseEvents, databaseReady } from '../contract/database.ts';
import type { Keystone } from '../keystone.ts';
import { namesOf } from '../names.ts';
import { dbSyncJob, failureOf, schemaCheckJob } from '../objects/jobs.ts';
import { imageOf } from '../objects/pod.ts';
import { step, type Services } from '../step.ts';
import { config } from './config.ts';
import { dbConnection } from './db-connection-secret.ts';

const syncPods = jobPods<Keystone, Services>((keystone) => namesOf(keystone).dbSync);
const checkPods = jobPods<Keystone, Services>((keystone) => namesOf(keystone).schemaCheck);

/** Brings the schema to the release of the image, then verifies it. */
export const database = step({
  name: 'Database',
  condition: 'DatabaseReady',
  needs: { config, dbConnection },
  owns: [owned(Job, ['create', 'remove'])],
  reads: [syncPods, checkPods],
  writes: ['installedRelease'],
  async run({ object: keystone, needs, ...context }) {
    const secrets = [needs.dbConnection.url];
    const syncJob = dbSyncJob(keystone, needs.config.configMap);
    const sync = await runJob(syncJob, { pods: syncPods, secrets }, context);
    if (sync.state === 'running') return waiting(databaseReady.syncing(undefined, sync.problem));
    if (sync.state === 'failed') {
      const error = failureOf(keystone, syncJob);
      return failed(databaseReady.syncFailed({ error }, sync.problem), undefined, {
        event: databaseEvents.syncFailed({ error }),
      });
    }

    const checkJob = schemaCheckJob(keystone, needs.config.configMap);
    const check = await runJob(checkJob, { pods: checkPods, secrets }, context);
    if (check.state === 'running') return waiting(databaseReady.checking(undefined, check.problem));
    if (check.state === 'failed') {
      const error = failureOf(keystone, checkJob);
      return failed(databaseReady.drifted({ error }, check.problem), undefined, {
        event: databaseEvents.drifted({ error }),
      });
    }

    return ready(databaseReady.synced(), {
      output: { image: imageOf(keystone) },
      status: { installedRelease: releaseOf(keystone.spec.image.tag, keystone.status?.installedRelease) },
      event: databaseEvents.databaseSynced(),
    });
  },
});

/** A first tag that names no release is not remembered: every later tag would be refused. */
function releaseOf(tag: string, installed: string | undefined): string | undefined {
  try {
    parseRelease(tag);
    return tag;
  } catch {
    return installed;
  }
}
