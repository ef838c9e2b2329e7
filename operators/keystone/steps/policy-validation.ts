// SPDX-License-Identifier: Apache-2.0
// A broken policy would break the API in every pod, and one may be written at any time, into spec or into the ConfigMap that
// it names. So a configuration with policy overrides is a candidate until a Job has validated it with the image that serves.
//
// While the Job runs, and after it failed, pods keep the last configuration that was valid (status.validatedConfig): the
// step is degraded and everything else goes on. Only a Keystone that never had a valid one waits. A candidate that passes is
// written to status first, and the pass starts over, so that the Jobs on the database use it before the pods do.
import { Job, type Pod } from '@forge/kube/kinds/builtin.ts';
import type { Statement } from '@forge/runtime/conditions/cases.ts';
import { jobKeyOf } from '@forge/runtime/jobs/job-key.ts';
import { jobPods, runJob } from '@forge/runtime/jobs/run-job.ts';
import { checkpoint, degraded, ready, waiting } from '@forge/runtime/steps/outcome.ts';
import { owned } from '@forge/runtime/steps/owned.ts';
import type { Keystone } from '../api/keystone.ts';
import { namesOf } from '../api/names.ts';
import type { Services } from '../clients/services.ts';
import { policyValidReady } from '../conditions/policy-validation.ts';
import { policyValidationJob } from '../objects/jobs/policy-validation-job.ts';
import { config } from './config.ts';
import { database } from './database.ts';
import { step } from './step.ts';

const pods = jobPods<Keystone, Services>((keystone) => namesOf(keystone).policyValidation);

/** Has policy overrides validated by a Job; gives the configuration that API pods may run. */
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
    const statement = hasFailed ? failureCase(keystone, error) : policyValidReady.running(undefined, progress.problem);
    const failedPolicyValidation = { key, ...(error !== undefined && { error }) };
    const status = { ...(validated && { validatedConfig: validated }), ...(hasFailed && { failedPolicyValidation }) };
    return validated === undefined
      ? waiting(statement, { status })
      : degraded(statement, { output: validated, status });
  },
});

const maxLength = 500;

/** The last message of the validator. */
function errorIn(failedPods: readonly Pod[]): string | undefined {
  const newest = failedPods.toSorted((a, b) => createdOf(b).localeCompare(createdOf(a)));
  const [text] = newest.flatMap(({ status }) =>
    (status?.containerStatuses ?? []).flatMap(({ state }) => state?.terminated?.message?.trim() || []),
  );
  return text === undefined || text.length <= maxLength ? text : `${text.slice(0, maxLength)}...`;
}

/** The message of the validator, or where to look for it. */
function failureCase(keystone: Keystone, error: string | undefined): Statement {
  if (error !== undefined) return policyValidReady.failed({ error });
  const { namespace = '' } = keystone.metadata;
  return policyValidReady.failedSilently({ job: namesOf(keystone).policyValidation, namespace });
}

function createdOf({ metadata }: Pod): string {
  return metadata.creationTimestamp ?? '';
}
