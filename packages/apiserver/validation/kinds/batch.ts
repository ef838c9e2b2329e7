// SPDX-License-Identifier: Apache-2.0
import { parseCron } from '@forge/cron/parse-cron.ts';
import type { PodTemplateSpec, JobSpec, PodSpec, JobTemplateSpec, CronJobSpec } from '@forge/kube/generated/types.ts';
import type { Job, CronJob } from '@forge/kube/kinds/builtin.ts';
import { jsonEqual } from '@forge/kube/objects/json.ts';
import type { Rule } from '../inspection.ts';
import { template, matching } from '../pods/template-rules.ts';
import { given, all, fields, equalExcept, type ChangeRule, fixed, change, validation } from '../rule.ts';
import { selector } from '../selector-rules.ts';
import { count, oneOf, requiredOneOf, requiredText } from '../value-rules.ts';
import { timeZoneProblems } from './time-zone-problems.ts';

const endingTemplate: Rule<PodTemplateSpec> = given((value, at) => {
  template(value, at);
  const { restartPolicy = 'Always' } = value.spec ?? {};
  if (restartPolicy !== 'Always') return;
  at.inside('spec', value.spec, () => at.required('valid values: "OnFailure", "Never"', 'restartPolicy'));
});

const indexed: Rule<JobSpec> = given(({ completionMode, parallelism = 0, backoffLimitPerIndex }, at) => {
  if (completionMode === 'Indexed') {
    if (parallelism > 100_000) {
      const detail = 'must be less than or equal to 100000 when completion mode is Indexed';
      at.invalid(parallelism, detail, 'parallelism');
    }
  } else if (backoffLimitPerIndex !== undefined) {
    at.invalid(backoffLimitPerIndex, 'requires indexed completion mode', 'backoffLimitPerIndex');
  }
});

const jobSpec: Rule<JobSpec> = all<JobSpec>(
  fields({
    parallelism: count,
    completions: count,
    activeDeadlineSeconds: count,
    backoffLimit: count,
    ttlSecondsAfterFinished: count,
    backoffLimitPerIndex: count,
    maxFailedIndexes: count,
    completionMode: oneOf('NonIndexed', 'Indexed'),
  }),
  indexed,
  fields({ podReplacementPolicy: oneOf('Failed', 'TerminatingOrFailed'), template: endingTemplate }),
);

/** The generated selector of a job. */
const generatedSelector: Rule<Job> = given(({ metadata, spec }, at) => {
  if (spec?.selector === undefined || spec.manualSelector === true) return;
  const expected = { 'batch.kubernetes.io/controller-uid': metadata.uid };
  at.inside('spec', spec, () => {
    if (!jsonEqual(spec.selector, { matchLabels: expected })) {
      at.invalid(spec.selector, '`selector` not auto-generated', 'selector');
      matching({ ...spec, selector: spec.selector ?? {} }, at);
    }
  });
});

const ownSelector: Rule<JobSpec> = given((spec, at) => {
  if (spec.selector === undefined) at.required(undefined, 'selector');
  else {
    at.inside('selector', spec.selector, selector);
    matching({ ...spec, selector: spec.selector }, at);
  }
});

/** Fields of a suspended job's template that may change: scheduling and labels. */
const movable: (keyof PodSpec)[] = ['nodeSelector', 'affinity', 'tolerations', 'schedulingGates'];

const immutableTemplate: ChangeRule<JobSpec> = (spec, before, at) => {
  const waits = before.suspend === true;
  const old = before.template;
  const now = spec.template;
  if (!waits) {
    if (!jsonEqual(now, old)) at.immutable(now, 'template');
    return;
  }
  if (old.spec !== undefined && now.spec !== undefined && !equalExcept(movable, now.spec, old.spec)) {
    at.inside('template', now, () => at.immutable(now.spec, 'spec'));
  }
};

const immutableSpec: ChangeRule<JobSpec> = (spec, before, at) => {
  fixed<JobSpec>('completions', 'selector')(spec, before, at);
  immutableTemplate(spec, before, at);
  fixed<JobSpec>(
    'completionMode',
    'backoffLimitPerIndex',
    'podFailurePolicy',
    'successPolicy',
    'managedBy',
  )(spec, before, at);
};

/** Validates a Job; its template is immutable once it has started. */
export const validateJob = validation<Job>(
  all<Job>(generatedSelector, fields({ spec: all(ownSelector, jobSpec) })),
  change('spec', immutableSpec),
);

const jobTemplate: Rule<JobTemplateSpec> = given(({ spec }, at) => {
  at.inside('spec', spec, (value, inner) => {
    jobSpec(value, inner);
    if (value?.selector !== undefined) inner.invalid(value.selector, '`selector` will be auto-generated', 'selector');
    if (value?.manualSelector === true) inner.unsupported(true, ['nil', 'false'], 'manualSelector');
  });
});

/** Leaves room for the suffix of job names. */
const longestName = 52;

/** Validates a CronJob. */
export const validateCronJob = validation<CronJob>(
  all<CronJob>(
    given(({ metadata: { name } }, at) => {
      if (name.length > longestName) {
        at.inside('metadata', name, () => at.invalid(name, `must be no more than ${longestName} characters`, 'name'));
      }
    }),
    fields({
      spec: fields<CronJobSpec>({
        schedule: requiredText(cronProblem, zoneInSchedule),
        startingDeadlineSeconds: count,
        timeZone: given((zone, at) => {
          for (const problem of timeZoneProblems(zone)) at.invalid(zone, problem);
        }),
        concurrencyPolicy: requiredOneOf('Allow', 'Forbid', 'Replace'),
        jobTemplate,
        successfulJobsHistoryLimit: count,
        failedJobsHistoryLimit: count,
      }),
    }),
  ),
);

/** Maximum length of a schedule: the parser is designed for short ones. */
const maxSchedule = 4096;

function cronProblem(schedule: string): string | undefined {
  if (schedule.length > maxSchedule) return `must be no more than ${maxSchedule} characters`;
  return parseCron(schedule).error?.reason;
}

function zoneInSchedule(schedule: string): string | undefined {
  return schedule.includes('TZ') ? 'cannot use TZ or CRON_TZ in schedule, use timeZone field instead' : undefined;
}
