// SPDX-License-Identifier: Apache-2.0
import { timeZone } from '@forge/cron/time-zone.ts';

/** What is wrong with the name of a time zone, as Kubernetes reports it. */
export function timeZoneProblems(name: string): string[] {
  if (name === '') return ['timeZone must be nil or non-empty string'];
  const unknown = `unknown time zone ${name}`;
  if (name.split('/').some((part) => !/^(?!-|\.{1,2}$)[A-Za-z0-9._+-]{1,14}$/.test(part))) return [unknown];
  const problems: string[] = [];
  if (/^local$/i.test(name)) {
    problems.push('timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones');
  }
  if (name !== 'Local' && timeZone(name) === undefined) problems.push(unknown);
  return problems;
}
