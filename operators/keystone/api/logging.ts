// SPDX-License-Identifier: Apache-2.0
import { choice, mapOf, rule } from '@forge/kube/schema/schema-types.ts';
import { Type } from 'typebox';
import { defaults } from './defaults.ts';

export const logFormats = ['text', 'json'] as const;
export const logLevels = ['DEBUG', 'INFO', 'WARNING', 'ERROR', 'CRITICAL'] as const;

export const loggerNameMessage = 'logger name must not be empty';

export const logging = Type.Object(
  {
    format: choice(logFormats, {
      default: defaults.logging.format,
      description:
        'Layout of log records: text for lines as oslo.log writes them, json for one JSON object per record.',
    }),
    level: choice(logLevels, {
      default: defaults.logging.level,
      description:
        'Level of the root logger. It takes effect with format json only; with text, set debug or perLoggerLevels.',
    }),
    debug: Type.Boolean({
      default: defaults.logging.debug,
      description: 'Debug switch of oslo.log, which also turns on the most verbose code paths whatever the level.',
    }),
    perLoggerLevels: Type.Optional(
      mapOf(choice(logLevels, { description: 'Level of this logger.' }), {
        description: 'Levels of named loggers, for example sqlalchemy.engine: WARNING.',
        maxProperties: 256,
        ...rule("self.all(logger, logger != '')", loggerNameMessage),
      }),
    ),
  },
  { default: {}, description: 'Logging of the Keystone API, which always goes to standard error.' },
);
