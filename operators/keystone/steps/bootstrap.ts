// SPDX-License-Identifier: Apache-2.0
import { Job } from '@forge/kube/kinds/builtin.ts';
import { jobKeyOf } from '@forge/runtime/jobs/job-key.ts';
import { jobPods, runJob } from '@forge/runtime/jobs/run-job.ts';
import { failed, ready, waiting } from '@forge/runtime/steps/outcome.ts';
import { owned } from '@forge/runtime/steps/owned.ts';
import type { Keystone } from '../api/keystone.ts';
import { namesOf } from '../api/names.ts';
import type { Services } from '../clients/services.ts';
import { bootstrapEvents, bootstrapReady } from '../conditions/bootstrap.ts';
import { bootstrapJob } from '../objects/jobs/bootstrap-job.ts';
import { failureOf } from '../objects/jobs/job.ts';
import { config } from './config.ts';
import { database } from './database.ts';
import { dbConnection } from './db-connection-secret.ts';
import { deployment } from './deployment.ts';
import { fernetKeys } from './keys.ts';
import { secrets } from './secrets.ts';
import { step } from './step.ts';

const pods = jobPods<Keystone, Services>((keystone) => namesOf(keystone).bootstrap);

/** Creates the first administrator and the catalog; again when the password or the catalog's values change. */
export const bootstrap = step({
  name: 'Bootstrap',
  condition: 'BootstrapReady',
  needs: { secrets, dbConnection, config, fernetKeys, database, deployment },
  owns: [owned(Job, ['create', 'remove'])],
  reads: [pods],
  writes: ['completedBootstrap', 'failedBootstrap'],
  async run({ object: keystone, needs, ...context }) {
    const { adminPassword } = needs.secrets;
    const job = bootstrapJob(keystone, {
      image: needs.database.image,
      configMap: needs.config.configMap,
      adminPasswordDigest: adminPassword.digest(needs.dbConnection.digestKey),
    });
    const { completedBootstrap: completed, failedBootstrap: before } = keystone.status ?? {};
    const known = [adminPassword, ...needs.dbConnection.secrets];
    const {
      state,
      problem,
      failed: failedBootstrap,
    } = await runJob(job, { pods, completed, failed: before, secrets: known }, context);
    if (state === 'running') return waiting(bootstrapReady.running(undefined, problem));
    if (state !== 'complete') {
      const error = failureOf(keystone, job);
      const status = { failedBootstrap };
      if (state === 'retrying') return waiting(bootstrapReady.retried({ error }, problem), { status });
      const event = bootstrapEvents.bootstrapFailed({ error });
      return failed(bootstrapReady.failed({ error }, problem), undefined, { event, status });
    }
    return ready(bootstrapReady.complete(), {
      status: { completedBootstrap: jobKeyOf(job), failedBootstrap: undefined },
      event: bootstrapEvents.bootstrapComplete(),
    });
  },
});
