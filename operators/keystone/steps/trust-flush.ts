// SPDX-License-Identifier: Apache-2.0
import { CronJob } from '@forge/kube/kinds/builtin.ts';
import { ready } from '@forge/runtime/steps/outcome.ts';
import { owned } from '@forge/runtime/steps/owned.ts';
import type { Keystone } from '../api/keystone.ts';
import { namesOf } from '../api/names.ts';
import { trustFlushEvents, trustFlushReady } from '../conditions/trust-flush.ts';
import { trustFlushCronJob } from '../objects/trust-flush.ts';
import { config } from './config.ts';
import { database } from './database.ts';
import { step } from './step.ts';

/** Schedules the purge of expired trusts. */
export const trustFlush = step({
  name: 'TrustFlush',
  condition: 'TrustFlushReady',
  needs: { config, database },
  owns: [owned(CronJob, ['apply', 'remove'])],
  async run({ object: keystone, needs, apply, remove, log }) {
    const flush = keystone.spec.trustFlush;
    if (flush !== undefined) {
      const { configMap } = needs.config;
      await apply(trustFlushCronJob(keystone, flush, { configMap, image: needs.database.image }));
      return ready(trustFlushReady.configured());
    }
    const text = trustFlushReady.notRequired();
    if (!isSaid(text.reason, keystone)) log.warn('trusts are not purged: spec.trustFlush is nil', bypass);
    await remove(CronJob, namesOf(keystone).trustFlush);
    return ready(text, { event: trustFlushEvents.bypass() });
  },
});

/** Log pipelines look for it. */
const bypass = { reason: 'webhook-bypass' };

function isSaid(reason: string, { status }: Keystone): boolean {
  return status?.conditions?.some((condition) => condition.reason === reason) ?? false;
}
