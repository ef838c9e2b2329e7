// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Namespace } from '@forge/kube/kinds/builtin.ts';
import { stepController } from '@forge/runtime/engine/step-controller.ts';
import { seconds } from '@forge/runtime/environment/duration.ts';
import { operatorProcess } from '@forge/simulation/scenario/operator-process.ts';
import { environment } from '@forge/simulation/world/environment.ts';
import { world } from '@forge/simulation/world/world.ts';
import { ControlPlane } from '../api/control-plane.ts';
import { fieldManager, teardownFinalizer } from '../api/names.ts';
import type { Services } from '../clients/services.ts';
import { controlPlaneFixture, home } from '../test/control-plane-fixture.ts';
import { duplicate, incumbentOf } from './duplicate.ts';

const early = '2026-01-01T00:00:00Z';
const late = '2026-01-01T00:00:01Z';

/** A ControlPlane of this name and age, with or without the finalizer. */
function peer(name: string, creationTimestamp: string, finalizers: string[] = []): ControlPlane {
  const { metadata, ...rest } = controlPlaneFixture();
  return { ...rest, metadata: { ...metadata, name, uid: name, creationTimestamp, finalizers } };
}

const incumbent = (...peers: readonly ControlPlane[]) => incumbentOf(peers)?.metadata.name;

describe('the ControlPlane that owns a namespace', () => {
  test('is the oldest', () => {
    assert.equal(incumbent(peer('a', late), peer('b', early)), 'b');
    assert.equal(incumbent(), undefined);
  });

  test('is the first by name of the same second', () => {
    assert.equal(incumbent(peer('b', early), peer('a', early)), 'a');
  });

  test('is the one that holds the finalizer, whatever its age: it has children', () => {
    assert.equal(incumbent(peer('a', early), peer('b', late, [teardownFinalizer])), 'b');
    assert.equal(incumbent(peer('a', early, ['other']), peer('b', early, [teardownFinalizer])), 'b');
  });
});

/** A ControlPlane of this name, as a request carries it. */
const controlPlaneNamed = (name: string): ControlPlane => ({ ...controlPlaneFixture(), metadata: { ...home, name } });

describe('a second ControlPlane in a namespace', () => {
  // The guard alone: it needs nothing from outside.
  const controller = stepController({
    name: 'controlplane-controller',
    for: ControlPlane,
    guards: { beforeFinalizers: duplicate },
    steps: [],
    services: { reading: {}, acting: {} } as unknown as Services,
    fieldManager,
    metricPrefix: 'c5c3_operator',
  });

  test('is parked without a finalizer, and takes over when the first is gone', async () => {
    await using here = await world({
      kinds: [ControlPlane],
      environment: environment({ workloads: false }),
      processes: [operatorProcess('controlplane', () => [controller])],
    });
    const { user, state } = here;
    const find = (name: string) => state.find(ControlPlane, { ...home, name });
    const readyOf = (name: string) => find(name)?.status?.conditions?.find(({ type }) => type === 'Ready');
    await here.during(
      user.create(Namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: home.namespace } }),
    );
    await here.during(user.create(ControlPlane, controlPlaneNamed('first')));
    await here.until(() => readyOf('first') !== undefined);
    await here.advance(seconds(2));
    await here.during(user.create(ControlPlane, controlPlaneNamed('another')));
    await here.until(() => readyOf('another') !== undefined);
    const { status, reason, message } = readyOf('another') ?? {};
    assert.deepEqual(
      [status, reason, message],
      [
        'False',
        'DuplicateControlPlane',
        'parked: ControlPlane "first" is older and owns namespace "openstack"; only one ControlPlane is permitted per namespace',
      ],
    );
    assert.deepEqual(find('another')?.metadata.finalizers, undefined);
    assert.notEqual(readyOf('first')?.reason, 'DuplicateControlPlane');

    await here.during(user.delete(ControlPlane, { ...home, name: 'first' }));
    await here.until(() => readyOf('another')?.reason !== 'DuplicateControlPlane');
  });
});
