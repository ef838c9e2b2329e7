// SPDX-License-Identifier: Apache-2.0
import { Job, type Pod } from '@forge/kube/kinds/builtin.ts';
import type { Statement } from '@forge/runtime/contract/rows.ts';
import { jobKeyOf } from '@forge/runtime/jobs/job-key.ts';
import { jobPods, runJob } from '@forge/runtime/jobs/run-job.ts';
import { checkpoint, degraded, ready, waiting } from '@forge/runtime/steps/outcome.ts';
import { owned } from '@forge/runtime/steps/owned.ts';
import { policyValidReady } from '../contract/policy-validation.ts';
import type { Keystone } from '../keystone.ts';
import { namesOf } from '../names.ts';
import { policyValidationJob } from '../objects/jobs/policy-validation-job.ts';
import { step, type Services } from '../step.ts';
import { config } from './config.ts';
import { database } from './database/database.ts';

const pods = jobPods<Keystone, Services>((keystone) => namesOf(keystone).policyValidation);

/** Has the policy overrides checked before they reach running pods; gives the configuration that API pods may run. */
export const policyValidation = step({
  name: 'PolicyValidation',
  condition: 'PolicyValidReady',
  needs: { config, database },
  owns: [owned(Job, ['create', 'remove'])],
  reads: [pods],
  writes: ['completedPolicyValidation', 'failedPolicyValidation', 'validatedConfig'],
  async run({ object: keystone, needs, ...context }) {
    const { candidate, validated } = needs.config;
    const output = { configMap: candidate.configMap, image: needs.database.image };
    const succeeded = { failedPolicyValidation: undefined, validatedConfig: output };
    if (!candidate.hasPolicy) {
      await context.remove(Job, namesOf(keystone).policyValidation);
      const status = { completedPolicyValidation: undefined, ...succeeded };
      return ready(policyValidReady.notRequired(), { output, status });
    }
    const { completedPolicyValidation: completed, failedPolicyValidation: before } = keystone.status ?? {};
    const job = policyValidationJob(keystone, output);
    const key = jobKeyOf(job);
    const progress = await runJob(job, { pods, completed, failed: before }, context);
    if (progress.state === 'complete') {
      const status = { completedPolicyValidation: key, ...succeeded };
      // The Jobs on the database come before the pods with it, too.
      if (needs.config.configMap !== output.configMap) return checkpoint(status);
      return ready(policyValidReady.passed(), { output, status });
    }
    const error = errorIn(progress.pods ?? []) ?? (before?.key === key ? before.error : undefined);
    const hasFailed = progress.state !== 'running';
    const row = hasFailed ? failureRow(keystone, error) : policyValidReady.running(undefined, progress.problem);
    const failedPolicyValidation = { key, ...(error !== undefined && { error }) };
    const status = { ...(validated && { validatedConfig: validated }), ...(hasFailed && { failedPolicyValidation }) };
    return validated === undefined ? waiting(row, { status }) : degraded(row, { output: validated, status });
  },
});

const maxLength = 500;

/** What the validator said last. */
function errorIn(failedPods: readonly Pod[]): string | undefined {
  const newest = failedPods.toSorted((a, b) => createdOf(b).localeCompare(createdOf(a)));
  const [text] = newest.flatMap(({ status }) =>
    (status?.containerStatuses ?? []).flatMap(({ state }) => state?.terminated?.message?.trim() || []),
  );
  return text === undefined || text.length <= maxLength ? text : `${text.slice(0, maxLength)}...`;
}

/** What the validator said, or where to look for it. */
function failureRow(keystone: Keystone, error: string | undefined): Statement {
  if (error !== undefined) return policyValidReady.failed({ error });
  const { namespace = '' } = keystone.metadata;
  return policyValidReady.failedSilently({ job: namesOf(keystone).policyValidation, namespace });
}

function createdOf({ metadata }: Pod): string {
  return metadata.creationTimestamp ?? '';
}
