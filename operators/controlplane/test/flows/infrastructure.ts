// SPDX-License-Identifier: Apache-2.0
import { test } from 'node:test';
import { MariaDB } from '@forge/kube/third-party/mariadb.ts';
import { Memcached } from '@forge/kube/third-party/memcached.ts';
import type { ContractObserver } from '@forge/runtime/contract/contract.ts';
import { home } from '../control-plane-fixture.ts';
import { controlPlaneOperator, createControlPlane } from '../control-plane-operator.ts';
import { setReady } from '../set-ready.ts';

/** What is said of database and cache. */
export function infrastructureFlows(observer: ContractObserver): void {
  test('covers database and cache, refused at first', async () => {
    await using operator = await controlPlaneOperator({ observer, wanted: [] });
    const { client, clock } = operator.cluster;
    const untilStarts = (text: string) =>
      clock.until(async () => (await operator.condition('InfrastructureReady'))?.startsWith(text));
    const allowDatabase = await operator.deny('create', MariaDB);
    await createControlPlane(operator);
    await untilStarts('MariaDBError: ensuring MariaDB: MariaDB openstack-db was refused: ');
    await allowDatabase();
    const allowCache = await operator.deny('create', Memcached);
    await untilStarts('MemcachedError: ensuring Memcached: Memcached openstack-memcached was refused: ');
    await allowCache();
    await operator.untilCondition('InfrastructureReady', 'WaitingForDatabase: MariaDB "openstack-db" is not ready');
    await setReady(client, MariaDB, { ...home, name: 'openstack-db' });
    const noCache = 'WaitingForCache: Memcached "openstack-memcached" is not ready';
    await operator.untilCondition('InfrastructureReady', noCache);
    await setReady(client, Memcached, { ...home, name: 'openstack-memcached' });
    const available = '+InfrastructureReady: All managed backing services are ensured and ready';
    await operator.untilCondition('InfrastructureReady', available);
  });
}
