// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Domain } from '@forge/kube/third-party/korc.ts';
import { minutes } from '@forge/runtime/environment/duration.ts';
import { controllerReference } from '@forge/runtime/objects/owner-reference.ts';
import { domainImport } from '../objects/korc/imports.ts';
import { brownfield, controlPlaneFixture, home } from '../test/control-plane-fixture.ts';
import { at, waitingForKorc } from '../test/credential-steps.ts';
import { korcObjects, setKorc } from '../test/script-korc.ts';
import {
  startControlPlaneOperator,
  createControlPlane,
  createCredentials,
} from '../test/start-control-plane-operator.ts';

const { domain, user, credential } = korcObjects;

describe('an import that the application credential waits for', () => {
  test('is named with the error that K-ORC gave up with, although K-ORC still calls it available', async () => {
    await using operator = await waitingForKorc();
    const { client, clock } = operator.cluster;
    await setKorc(client, domain, { available: 'default' });
    await setKorc(client, user, { available: 'u1', terminal: 'gone' });
    await setKorc(client, credential, 'pending');
    await clock.settle();
    assert.match(
      (await operator.condition('KORCReady')) ?? '',
      /is not yet Available; admin User import "controlplane-user-admin" failed terminally: gone$/,
    );
  });

  test('is not there while it belongs to an earlier ControlPlane, whatever K-ORC says of it', async () => {
    await using operator = await startControlPlaneOperator({ wanted: ['keystone'] });
    const { client, clock } = operator.cluster;
    const { metadata, ...rest } = domainImport(controlPlaneFixture());
    const earlier = { ...controlPlaneFixture(), metadata: { ...home, uid: 'earlier' } };
    const ownerReferences = [controllerReference(earlier)];
    const held = { ...metadata, ...at(domain.name), ownerReferences, finalizers: ['example.com/hold'] };
    await client.create(Domain, { ...rest, metadata: held });
    await setKorc(client, domain, { available: 'default' });
    await createCredentials(operator);
    await createControlPlane(operator, { infrastructure: brownfield });
    await clock.advance(minutes(1));
    assert.match(
      (await operator.condition('KORCReady')) ?? '',
      /^WaitingFor.*; admin Domain import "controlplane-domain-default" is not yet Available$/,
    );
  });
});
