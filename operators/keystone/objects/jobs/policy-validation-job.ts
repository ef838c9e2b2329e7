// SPDX-License-Identifier: Apache-2.0
import type { Job } from '@forge/kube/kinds/builtin.ts';
import type { Keystone } from '../../api/keystone.ts';
import { namesOf } from '../../api/names.ts';
import { configDir, configMount, jobTemplate } from '../pod.ts';
import { keystoneJob } from './job.ts';

/** Checks the rendered policy.yaml against the rules that the release knows. */
export function policyValidationJob(
  keystone: Keystone,
  { image, configMap }: { image: string; configMap: string },
): Job {
  const template = jobTemplate(keystone, {
    component: 'validator',
    image,
    command: ['oslopolicy-validator', '--namespace', 'keystone', '--config-dir', configDir],
    usesDatabase: false,
    hasPriority: false,
    mounts: [configMount(configMap)],
  });
  const name = namesOf(keystone).policyValidation;
  return keystoneJob(keystone, name, { backoffLimit: 2, ttlSecondsAfterFinished: 300, template });
}
