// SPDX-License-Identifier: Apache-2.0
import { parseCron } from '@forge/cron/parse-cron.ts';
import { invalidValue, required, type FieldError } from '@forge/kube/errors/field-error.ts';
import { defaultRotation } from '../api/keys.ts';
import type { Keystone } from '../api/keystone.ts';
import { dateMessage, defaultFlush } from '../api/trust-flush.ts';
import { readFlushArgs } from '../objects/flush-args.ts';

/** Errors of key rotation and trust flush: invalid schedules, invalid dates. */
export function scheduleErrors({ spec: { fernet, credentialKeys, trustFlush } }: Keystone): FieldError[] {
  const rotation = `rotationSchedule must be set; default is "${defaultRotation}"`;
  return [
    ...cronErrors('spec.fernet.rotationSchedule', fernet.rotationSchedule, rotation),
    ...cronErrors('spec.credentialKeys.rotationSchedule', credentialKeys.rotationSchedule, rotation),
    ...(trustFlush === undefined ? [] : flushErrors(trustFlush)),
  ];
}

function flushErrors({ schedule, args = [] }: NonNullable<Keystone['spec']['trustFlush']>): FieldError[] {
  const { invalidDates } = readFlushArgs(args);
  return [
    ...cronErrors('spec.trustFlush.schedule', schedule, `schedule must be set; default is "${defaultFlush}"`),
    ...invalidDates.map(({ index, value }) => invalidValue(`spec.trustFlush.args[${index}]`, value, dateMessage)),
  ];
}

function cronErrors(field: string, expression: string, missing: string): FieldError[] {
  if (expression === '') return [required(field, missing)];
  if (/^(?:CRON_)?TZ=/.test(expression)) {
    const cause = 'CronJobs take no time zone in a schedule; remove it and write the times in UTC';
    return [invalidValue(field, expression, `invalid cron expression: ${cause}`)];
  }
  const { error } = parseCron(expression);
  return error === undefined ? [] : [invalidValue(field, expression, `invalid cron expression: ${error.message}`)];
}
