// SPDX-License-Identifier: Apache-2.0
import type { Job, CronJob } from '@forge/kube/kinds/builtin.ts';
import {
  ageColumn,
  column,
  humanDuration,
  nameColumn,
  type TableColumn,
  age,
  countColumn,
} from '../resources/table-column.ts';
import { containerColumns, selectorColumn } from './workloads.ts';

export const jobColumns: readonly TableColumn<Job>[] = [
  nameColumn,
  column('Status', jobStatus),
  column('Completions', ({ spec, status }) => {
    const { parallelism = 0, completions } = spec ?? {};
    const succeeded = status?.succeeded ?? 0;
    if (completions !== undefined) return `${succeeded}/${completions}`;
    return parallelism > 1 ? `${succeeded}/1 of ${parallelism}` : `${succeeded}/1`;
  }),
  column('Duration', ({ status }, now) => {
    if (status?.startTime === undefined) return '';
    const end = status.completionTime === undefined ? now : Date.parse(status.completionTime);
    return humanDuration(end - Date.parse(status.startTime));
  }),
  ageColumn,
  ...containerColumns(({ spec }: Job) => spec?.template),
  selectorColumn(({ spec }: Job) => spec?.selector),
];

export const cronJobColumns: readonly TableColumn<CronJob>[] = [
  nameColumn,
  column('Schedule', ({ spec }) => spec.schedule),
  column('Timezone', ({ spec }) => spec.timeZone ?? '<none>'),
  column('Suspend', ({ spec }) => (spec.suspend === true ? 'True' : 'False'), { type: 'boolean' }),
  countColumn('Active', ({ status }) => status?.active?.length),
  column('Last Schedule', ({ status }, now) =>
    status?.lastScheduleTime === undefined ? '<none>' : age(status.lastScheduleTime, now),
  ),
  ageColumn,
  ...containerColumns(({ spec }: CronJob) => spec.jobTemplate.spec?.template),
  selectorColumn(({ spec }: CronJob) => spec.jobTemplate.spec?.selector),
];

function jobStatus({ metadata, status }: Job): string {
  const holds = (wanted: string): boolean =>
    status?.conditions?.some((each) => each.type === wanted && each.status === 'True') === true;
  if (holds('Complete')) return 'Complete';
  if (holds('Failed')) return 'Failed';
  if (metadata.deletionTimestamp !== undefined) return 'Terminating';
  return ['Suspended', 'FailureTarget', 'SuccessCriteriaMet'].find(holds) ?? 'Running';
}
