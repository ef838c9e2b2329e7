// SPDX-License-Identifier: Apache-2.0
import { rule } from '@forge/kube/schema/schema-types.ts';
import { Type } from 'typebox';
import { schedule } from './schedule.ts';

export const defaultFlush = '0 * * * *';

export const dateMessage = '--date takes a date as DD-MM-YYYY or YYYY-MM-DD, for example --date=31-12-2025';

// The text after each --date; a valid date is put in front of it all, so that the first piece passes as well.
const datesAreDates =
  "('=01-01-2000 ' + self.join(' ') + ' ').split('--date').all(rest, rest.matches('^[ =]([0-9]{2}-[0-9]{2}-[0-9]{4}|[0-9]{4}-[0-9]{2}-[0-9]{2}) '))";

export const trustFlush = Type.Object(
  {
    schedule: schedule(defaultFlush, 'When expired trusts are purged.'),
    suspend: Type.Boolean({ default: false, description: 'Pauses the CronJob without deleting it.' }),
    args: Type.Optional(
      Type.Array(Type.String({ maxLength: 256, description: 'One argument.' }), {
        description:
          'Arguments added to "keystone-manage trust_flush" in this order, for example --date=31-12-2025, which purges what ' +
          'expired before that day. --keystone-user and --keystone-group are left out, since the command does not know them.',
        maxItems: 32,
        ...rule(datesAreDates, dateMessage),
      }),
    ),
  },
  {
    description:
      'Periodic purge of expired trusts. The defaulting webhook fills it in when it is absent; without webhooks, an absent ' +
      'one means that trusts are not purged.',
  },
);
