// SPDX-License-Identifier: Apache-2.0
import { degraded, ready } from '@forge/runtime/steps/outcome.ts';
import { available } from '../conditions/available.ts';
import { step } from './step.ts';

/** Guard: a paused cluster is left alone. */
export const paused = step({
  name: 'Paused',
  conditions: ['Available'],
  async run({ object: { spec } }) {
    return spec.paused ? degraded(available.paused(), { conditions: { Available: available.paused() } }) : ready();
  },
});
