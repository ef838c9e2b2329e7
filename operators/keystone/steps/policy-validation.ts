// SPDX-License-Identifier: Apache-2.0
import { Job, type Pod } from '@forge/kube/kinds/builtin.ts';
import type { Statement } from '@forge/runtime/contract/rows.ts';
import { jobKeyOf } from '@forge/runtime/jobs/job-key.ts';
import { jobPods, runJob } from '@forge/runtime/jobs/run-job.ts';
import { failed, ready, waiting } from '@forge/runtime/steps/outcome.ts';
import { owned } from '@forge/runtime/steps/owned.ts';
import { policyValidReady } from '../contract/policy-validation.ts';
import type { Keystone } from '../keystone.ts';
import { namesOf } from '../names.ts';
import { policyValidationJob } from '../objects/jobs/policy-validation-job.ts';
import { step, type Services } from '../step.ts';
import { config } from './config.ts';
import { database } from './database/database.ts';

const pods = jobPods<Keystone, Services>((keystone) => namesOf(keystone).policyValidation);

/** Has the policy overrides checked before they reach running pods. */
export const policyValidation = step({
  name: 'PolicyValidation',
  condition: 'PolicyValidReady',
  needs: { config, database },
  owns: [owned(Job, ['create', 'remove'])],
  reads: [pods],
  writes: ['completedPolicyValidation'],
  async run({ object: keystone, needs, ...context }) {
    const name = namesOf(keystone).policyValidation;
    if (keystone.spec.policyOverrides === undefined) {
      await context.remove(Job, name);
      return ready(policyValidReady.notRequired(), { status: { completedPolicyValidation: undefined } });
    }
    const job = policyValidationJob(keystone, { image: needs.database.image, configMap: needs.config.configMap });
    const completed = keystone.status?.completedPolicyValidation;
    const progress = await runJob(job, { pods, completed }, context);
    if (progress.state === 'running') return waiting(policyValidReady.running(undefined, progress.problem));
    if (progress.state === 'failed') return failed(failureRow(keystone, name, progress.pods ?? []));
    return ready(policyValidReady.passed(), { status: { completedPolicyValidation: jobKeyOf(job) } });
  },
});

const maxLength = 500;

/** What the validator said last, or where to look for it. */
function failureRow({ metadata }: Keystone, job: string, failedPods: readonly Pod[]): Statement {
  const newest = failedPods.toSorted((a, b) => createdOf(b).localeCompare(createdOf(a)));
  const [text] = newest.flatMap(({ status }) =>
    (status?.containerStatuses ?? []).flatMap(({ state }) => state?.terminated?.message?.trim() || []),
  );
  if (text === undefined) return policyValidReady.failedSilently({ job, namespace: metadata.namespace ?? '' });
  return policyValidReady.failed({ error: text.length <= maxLength ? text : `${text.slice(0, maxLength)}...` });
}

function createdOf({ metadata }: Pod): string {
  return metadata.creationTimestamp ?? '';
}
