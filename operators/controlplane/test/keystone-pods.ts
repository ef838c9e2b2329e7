// SPDX-License-Identifier: Apache-2.0
import type { FakeKeystone } from '@forge/cluster/stand-ins/korc/fake-keystone.ts';
import { Keystone } from '@forge/keystone/api/keystone.ts';
import type { Kind } from '@forge/kube/kinds/kind.ts';
import { MariaDB } from '@forge/kube/third-party/mariadb.ts';
import type { Controller } from '@forge/runtime/controller/controller.ts';
import { manager } from '@forge/runtime/controller/manager.ts';
import { sleep } from '@forge/runtime/environment/clock.ts';
import { now, type Duration } from '@forge/runtime/environment/duration.ts';
import { seededRandom } from '@forge/runtime/environment/seeded-random.ts';
import { logger } from '@forge/runtime/observability/logger.ts';
import { restartable } from '@forge/testing/restartable.ts';
import type { ControlPlaneOperator } from './start-control-plane-operator.ts';

/** Lets Keystone answer only while its pods and those of its database would run; they stop this long after a deletion. */
export async function stopKeystoneWithItsPods(
  { cluster: { client, clock }, keystone }: ControlPlaneOperator,
  after: Duration,
): Promise<AsyncDisposable> {
  const log = logger({ clock, write: () => {} });
  const pods = restartable(clock, () => {
    const running = manager({ client, clock, random: seededRandom(), log });
    running.add(stopping(Keystone, keystone, 'down', after));
    running.add(stopping(MariaDB, keystone, 'without database', after));
    return running;
  });
  await pods.start();
  return { [Symbol.asyncDispose]: () => pods.stop() };
}

function stopping(kind: Kind, keystone: FakeKeystone, health: FakeKeystone['health'], after: Duration): Controller {
  return {
    name: `pods-of-${kind.singular}`,
    for: kind,
    async reconcile(ref, { cache, clock }) {
      const live = cache.get(kind, ref);
      if (live !== undefined && live.metadata.deletionTimestamp === undefined) return undefined;
      if (after > now) await sleep(clock, after);
      if (keystone.health !== 'down') keystone.health = health;
      return undefined;
    },
  };
}
