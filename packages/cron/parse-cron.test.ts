// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseCron } from './parse-cron.ts';

test('an error names the expression, the field, its value and the remedy', () => {
  const messages: Record<string, string> = {
    '0 24 * * *':
      'schedule "0 24 * * *": hour "24": end of range (24) above maximum (23): 24; ' +
      'use * or numbers from 0 to 23, as a list 1,2, a range 1-3 or with a step */2',
    '0 0 * * 1,frei':
      'schedule "0 0 * * 1,frei": day of week "1,frei": failed to parse int from frei: strconv.Atoi: parsing "frei": ' +
      'invalid syntax; use * or numbers from 0 to 6 (or names, SUN, MON …), as a list 1,2, a range 1-3 or with a step */2',
    '0 6 * *':
      'schedule "0 6 * *": fields "0 6 * *": expected exactly 5 fields, found 4: [0 6 * *]; ' +
      'write five fields: minute, hour, day of month, month and day of week, as in "0 6 * * 1"',
    '@every soon':
      'schedule "@every soon": duration "soon": failed to parse duration @every soon: time: invalid duration "soon"; ' +
      'use numbers with the units h, m and s, as in 1h30m',
    '@often':
      'schedule "@often": descriptor "@often": unrecognized descriptor: @often; ' +
      'use one of @yearly, @annually, @monthly, @weekly, @daily, @midnight, @hourly or @every with a duration',
    'CRON_TZ=Mars 0 6 * * *':
      'schedule "CRON_TZ=Mars 0 6 * * *": time zone "Mars": provided bad location Mars: unknown time zone Mars; ' +
      'use the IANA name of a time zone, as in CRON_TZ=Europe/Berlin',
  };
  for (const [expression, message] of Object.entries(messages)) {
    assert.equal(parseCron(expression).error?.message, message);
  }
});

test('any text is parsed or rejected with a CronError', () => {
  const characters = fc.constantFrom(...Array.from('0159*?/-,+ @TZ=monevryhs."\\é\u0085'));
  fc.assert(
    fc.property(fc.string({ unit: characters, maxLength: 20 }), (text) => {
      const { schedule, error } = parseCron(text);
      assert.ok(schedule !== undefined || error.message.includes(JSON.stringify(text)));
    }),
    { numRuns: 500 },
  );
});
