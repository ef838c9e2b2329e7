// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { controlPlaneFixture } from '../test/control-plane-fixture.ts';
import { servicesStatus } from './services-status.ts';

type Context = Parameters<typeof servicesStatus.run>[0];

const keystone = (status: 'True' | 'False') => ({
  conditions: [{ type: 'KeystoneReady', status, reason: '', message: '', lastTransitionTime: '' }],
});

const get = () => ({ status: { installedRelease: '2025.1' } });

test('the services are summarised as this pass leaves them, not as the last one did', async () => {
  const object = { ...controlPlaneFixture(), status: keystone('False') };
  const outcome = await servicesStatus.run({ object, pending: keystone('True'), get } as unknown as Context);
  assert.deepEqual(outcome.status, {
    services: [{ name: 'keystone', ready: true, release: '2025.2' }],
    updatePhase: 'Idle',
    installedRelease: '2025.1',
  });
});
