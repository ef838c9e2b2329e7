// SPDX-License-Identifier: Apache-2.0
import { blocked, ready } from '@forge/runtime/steps/outcome.ts';
import { degradedCases, degradedCondition } from '../conditions/degraded.ts';
import { available } from '../conditions/summary.ts';
import { tlsReady } from '../conditions/tls.ts';
import { upgrading, upgradingCondition } from '../conditions/upgrading.ts';
import { step } from './step.ts';

/** Guard: a paused cluster is left alone. */
export const paused = step({
  name: 'Paused',
  conditions: ['Available', 'TLSReady', degradedCondition, upgradingCondition],
  async run({ object: { spec, status } }) {
    if (!spec.paused) return ready();
    const { upgrade } = status ?? {};
    const conditions = {
      Available: available.paused(),
      TLSReady: tlsReady.paused(),
      Degraded: degradedCases.paused(),
      ...(upgrade !== undefined && { Upgrading: upgrading.paused({ version: upgrade.targetVersion ?? '' }) }),
    };
    return blocked(available.paused(), { conditions });
  },
});
