// SPDX-License-Identifier: Apache-2.0
import type { CronJob } from '@forge/kube/kinds/builtin.ts';
import type { Warn } from '../resources/warn.ts';
import { podWarnings, nameWarnings } from './pods.ts';
import { isChanged } from './workloads.ts';

const inJobTemplate = podWarnings('spec.jobTemplate.spec.template');

/** Warnings for a cron job that is new or has a changed spec. */
export function cronJobWarnings(object: CronJob, warn: Warn, before: CronJob | undefined): void {
  if (before === undefined) nameWarnings(object, 'Pod names and hostnames', warn);
  const template = object.spec.jobTemplate.spec?.template ?? {};
  if (isChanged(object, before)) inJobTemplate(template, warn);
}
