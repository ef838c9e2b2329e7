// SPDX-License-Identifier: Apache-2.0
import { ready } from '@forge/runtime/steps/outcome.ts';
import { step } from '../step.ts';

/** Summary: what the pass says of the services. */
export const servicesStatus = step({
  name: 'ServicesStatus',
  writes: ['services', 'updatePhase'],
  async run({ object: { spec }, pending }) {
    const isReady =
      pending.conditions?.some(({ type, status }) => type === 'KeystoneReady' && status === 'True') === true;
    const services = [{ name: 'keystone', ready: isReady, release: spec.openStackRelease }];
    return ready('Summarised', '', { status: { services, updatePhase: 'Idle' as const } });
  },
});
