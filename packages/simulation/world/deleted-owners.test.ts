// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { StandInName } from '@forge/cluster/stand-ins/register/stand-ins.ts';
import type { Kind } from '@forge/kube/kinds/kind.ts';
import type { KubeObject } from '@forge/kube/objects/object.ts';
import { MariaDB } from '@forge/kube/third-party/mariadb.ts';
import { Memcached } from '@forge/kube/third-party/memcached.ts';
import { seconds } from '@forge/runtime/environment/duration.ts';
import type { Fault } from '../faults/fault-plan.ts';
import { environment } from './environment.ts';
import { world } from './world.ts';

const metadata = { namespace: 'default', name: 'backing' };
const mariadb: MariaDB = {
  apiVersion: 'k8s.mariadb.com/v1alpha1',
  kind: 'MariaDB',
  metadata,
  spec: { storage: { size: '1Gi' } },
};
const memcached: Memcached = { apiVersion: 'memcached.c5c3.io/v1beta1', kind: 'Memcached', metadata, spec: {} };

const cases = [
  ['mariadb-operator', MariaDB, mariadb],
  ['memcached-operator', Memcached, memcached],
] as const satisfies [StandInName, Kind, KubeObject][];

for (const [process, kind, object] of cases) {
  /** The number of its events before the deletion, and its creates after it. */
  async function deletion(faults: readonly Fault[]): Promise<{ events: number; creates: string[] }> {
    await using here = await world({ faults, environment: environment({ standIns: [process], reliable: false }) });
    await here.during(here.user.create<KubeObject>(kind, object));
    await here.settle();
    const { length } = here.trace.lines;
    const { event: events = 0 } = here.context.faults.counts.get(process) ?? {};
    await here.during(here.user.delete(kind, metadata));
    await here.advance(seconds(10));
    const sent = here.trace.lines.slice(length).filter((line) => line.includes(`${process}#1 sends POST`));
    return { events, creates: sent };
  }

  test(`${process} does not recreate what the garbage collector deletes while its watch of the ${kind.kind} lags behind`, async () => {
    const { events, creates } = await deletion([]);
    assert.deepEqual(creates, []);
    for (const fault of ['expire', 'hold'] as const) {
      const late = await deletion([{ fault, process, at: events + 1 }]);
      assert.deepEqual(late.creates, []);
    }
  });
}
