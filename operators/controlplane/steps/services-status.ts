// SPDX-License-Identifier: Apache-2.0
import { Keystone } from '@forge/keystone/api/keystone.ts';
import type { Change } from '@forge/runtime/objects/change.ts';
import { isTrue } from '@forge/runtime/objects/condition.ts';
import { ready } from '@forge/runtime/steps/outcome.ts';
import { reads } from '@forge/runtime/steps/reads.ts';
import { namesOf } from '../api/names.ts';
import { step } from './step.ts';

const releaseChanged = ({ before, after }: Change<Keystone>) =>
  before?.status?.installedRelease !== after?.status?.installedRelease;

/** Summary: the state of the services after the pass, and the release of Keystone. */
export const servicesStatus = step({
  name: 'ServicesStatus',
  reads: [reads(Keystone, (controlPlane) => [namesOf(controlPlane).keystone], { predicate: releaseChanged })],
  writes: ['services', 'updatePhase', 'installedRelease'],
  async run({ object: controlPlane, pending, get }) {
    const { spec } = controlPlane;
    const isReady = isTrue({ status: pending }, 'KeystoneReady');
    const services = [{ name: 'keystone', ready: isReady, release: spec.openStackRelease }];
    const installedRelease = get(Keystone, namesOf(controlPlane).keystone)?.status?.installedRelease;
    return ready({ status: { services, updatePhase: 'Idle' as const, installedRelease } });
  },
});
