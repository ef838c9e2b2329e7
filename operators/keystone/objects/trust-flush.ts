// SPDX-License-Identifier: Apache-2.0
import type { CronJob } from '@forge/kube/kinds/builtin.ts';
import type { Keystone } from '../api/keystone.ts';
import { commonLabels, namesOf } from '../api/names.ts';
import { readFlushArgs } from './flush-args.ts';
import { configDir, configMount, credentialKeysMount, fernetKeysMount, jobTemplate } from './pod.ts';

type TrustFlush = NonNullable<Keystone['spec']['trustFlush']>;

/** The inputs of the CronJob besides the resource. */
interface Inputs {
  configMap: string;
  image: string;
}

/** Purges expired trusts from the database. */
export function trustFlushCronJob(keystone: Keystone, flush: TrustFlush, { configMap, image }: Inputs): CronJob {
  return {
    apiVersion: 'batch/v1',
    kind: 'CronJob',
    metadata: { name: namesOf(keystone).trustFlush, labels: commonLabels(keystone) },
    spec: {
      schedule: flush.schedule,
      suspend: flush.suspend,
      concurrencyPolicy: 'Forbid',
      jobTemplate: {
        spec: {
          // A run that hangs would keep all later ones from starting.
          activeDeadlineSeconds: 3600,
          template: jobTemplate(keystone, {
            component: 'trust-flush',
            image,
            command: [
              'keystone-manage',
              `--config-dir=${configDir}`,
              'trust_flush',
              ...readFlushArgs(flush.args ?? []).rendered,
            ],
            mounts: [configMount(configMap), fernetKeysMount(keystone), credentialKeysMount(keystone)],
            restartPolicy: 'OnFailure',
          }),
        },
      },
    },
  };
}
