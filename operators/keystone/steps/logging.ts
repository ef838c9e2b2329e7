// SPDX-License-Identifier: Apache-2.0
import { degraded, ready } from '@forge/runtime/steps/outcome.ts';
import { loggingEvents, loggingHealthy, loggingHealthyType } from '../conditions/logging.ts';
import { useStderrOf } from '../objects/config/keystone-conf.ts';
import { step } from './step.ts';

/** What oslo.config reads as true. */
const trueValues = ['true', '1', 'on', 'yes'];

/** Tells whether the user's own options keep log records from standard error. */
export const logging = step({
  name: 'Logging',
  condition: loggingHealthyType,
  async run({ object: keystone }) {
    const value = useStderrOf(keystone);
    if (trueValues.includes(value.trim().toLowerCase())) return ready(loggingHealthy.stderrEnabled());
    return degraded(loggingHealthy.stderrDisabled({ value }), { event: loggingEvents.stderrDisabled({ value }) });
  },
});
