// SPDX-License-Identifier: Apache-2.0
import type { SeededBug } from './seeded-bug.ts';

/** Bugs in the parser of schedules. */
export const schedulesBugs: readonly SeededBug[] = [
  {
    name: 'a star may not begin a range',
    caughtBy: 'a schedule that other parsers refuse is accepted',
    file: 'cron/parse-field.ts',
    find: 'if (!isStar && moreEnds.length > 0)',
    replace: 'if (moreEnds.length > 0)',
  },
  {
    name: 'whitespace around a descriptor is ignored',
    caughtBy: 'a schedule that other parsers accept is refused',
    file: 'cron/parse-cron.ts',
    find: 'return parseTimes(expression, expression, undefined);',
    replace: 'return parseTimes(expression, expression.trim(), undefined);',
  },
  {
    name: 'the case of a time zone is ignored',
    caughtBy: 'a time zone has the exact name of a place',
    file: 'cron/time-zone.ts',
    find: 'if (canonical !== name && canonical.toLowerCase() === name.toLowerCase()) return undefined;',
    replace: '',
  },
];
