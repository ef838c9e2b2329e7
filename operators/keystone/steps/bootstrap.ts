// SPDX-License-Identifier: Apache-2.0
import { Job } from '@forge/kube/builtin.ts';
import { seconds } from '@forge/runtime/duration.ts';
import { failed, ready, waiting } from '@forge/runtime/steps/outcome.ts';
import { owned } from '@forge/runtime/steps/owned.ts';
import { step } from '../keystone.ts';
import { bootstrapJob } from '../objects/jobs.ts';
import { config } from './config.ts';
import { database } from './database.ts';
import { deployment } from './deployment.ts';
import { digestKey } from './digest-key.ts';
import { fernetKeys } from './keys.ts';
import { failureOf, keyOf, runJob } from './run-job.ts';
import { secrets } from './secrets.ts';

const complete = 'Keystone bootstrap completed successfully';

/** Creates the first administrator and the catalog; again when the password or the catalog's values change. */
export const bootstrap = step({
  name: 'Bootstrap',
  condition: 'BootstrapReady',
  needs: { secrets, digestKey, config, fernetKeys, database, deployment },
  owns: [owned(Job, ['create', 'remove'])],
  writes: ['completedBootstrap'],
  async run({ object: keystone, needs, ...jobs }) {
    const job = bootstrapJob(keystone, {
      configMap: needs.config.configMap,
      adminPasswordDigest: needs.secrets.adminPassword.digest(needs.digestKey.key),
    });
    const key = keyOf(job);
    // The finished Job goes with its TTL; its key is remembered, so it is not run again.
    if (key !== keystone.status?.completedBootstrap) {
      switch (await runJob(job, jobs)) {
        case 'running':
          return waiting('BootstrapInProgress', 'Keystone bootstrap job is running', seconds(60));
        case 'failed': {
          const message = `Keystone bootstrap job failed: ${failureOf(keystone, job)}`;
          return failed('BootstrapFailed', message, undefined, {
            event: { type: 'Warning', reason: 'BootstrapFailed', message },
          });
        }
        case 'complete':
      }
    }
    return ready('BootstrapComplete', complete, {
      status: { completedBootstrap: key },
      event: { type: 'Normal', reason: 'BootstrapComplete', message: complete },
    });
  },
});
