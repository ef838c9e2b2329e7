// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Event, Secret } from '@forge/kube/kinds/builtin.ts';
import { ApplicationCredential } from '@forge/kube/third-party/korc.ts';
import { seconds } from '@forge/runtime/environment/duration.ts';
import { ControlPlane } from '../api/control-plane.ts';
import { CredentialRotation } from '../api/credential-rotation.ts';
import { passwordHash } from '../objects/password-hash.ts';
import {
  changeRotation,
  controlPlane,
  createTarget,
  credential,
  hashOn,
  passwordSecret,
  readyOf,
  rotationOf,
  rotationWorld,
} from '../test/rotation-world.ts';

describe('a CredentialRotation', () => {
  test('reports every field of a schedule that is set, also to no days at all', async () => {
    await using here = await rotationWorld();
    const sent = () => here.state.list(Event).reduce((sum, { count = 1 }) => sum + count, 0);
    await here.during(createTarget(here.user));
    await here.during(here.user.create(CredentialRotation, rotationOf({ preRotationDays: 0 })));
    await here.until(() => sent() === 1);
    await here.during(changeRotation(here.user, { preRotationDays: null, gracePeriodDays: 0 }));
    await here.until(() => sent() === 2);
    await here.during(changeRotation(here.user, { gracePeriodDays: null, intervalDays: 1 }));
    await here.until(() => sent() === 3);
  });

  test('waits for a password that is empty: the ControlPlane could not mint with it', async () => {
    await using here = await rotationWorld();
    await here.during(here.user.create(ControlPlane, controlPlane()));
    await here.during(here.user.create(Secret, passwordSecret('')));
    await here.during(here.user.create(ApplicationCredential, credential()));
    await here.during(here.user.create(CredentialRotation, rotationOf()));
    await here.advance(seconds(20));
    assert.deepEqual([readyOf(here), hashOn(here)], ['WaitingForAdminPassword', passwordHash('hunter2')]);
  });
});
