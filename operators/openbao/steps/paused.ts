// SPDX-License-Identifier: Apache-2.0
import { blocked, ready } from '@forge/runtime/steps/outcome.ts';
import { degradedCases, degradedCondition } from '../conditions/degraded.ts';
import { available } from '../conditions/summary.ts';
import { tlsReady } from '../conditions/tls.ts';
import { step } from './step.ts';

/** Guard: a paused cluster is left alone. */
export const paused = step({
  name: 'Paused',
  conditions: ['Available', 'TLSReady', degradedCondition],
  async run({ object: { spec } }) {
    if (!spec.paused) return ready();
    const conditions = { Available: available.paused(), TLSReady: tlsReady.paused(), Degraded: degradedCases.paused() };
    return blocked(available.paused(), { conditions });
  },
});
