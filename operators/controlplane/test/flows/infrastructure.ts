// SPDX-License-Identifier: Apache-2.0
import { test } from 'node:test';
import type { ApiRequest } from '@forge/kube/client/transport.ts';
import type { KubeObject } from '@forge/kube/objects/object.ts';
import { MariaDB } from '@forge/kube/third-party/mariadb.ts';
import { Memcached } from '@forge/kube/third-party/memcached.ts';
import type { CatalogObserver } from '@forge/runtime/conditions/condition-catalog.ts';
import { mariadb, memcached } from '../../objects/backing-services.ts';
import { controlPlaneFixture, home } from '../control-plane-fixture.ts';
import { setReady } from '../set-ready.ts';
import { startControlPlaneOperator, createControlPlane } from '../start-control-plane-operator.ts';

/** The object in the namespace of the tests. */
const placed = <T extends KubeObject>(object: T): T => ({
  ...object,
  metadata: { ...object.metadata, namespace: home.namespace },
});

/** What is reported about database and cache. */
export function infrastructureFlows(observer: CatalogObserver): void {
  test('covers database and cache, refused at first', async () => {
    await using operator = await startControlPlaneOperator({ observer, wanted: [] });
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

  test('covers database and cache that somebody else creates at the same moment', async () => {
    const controlPlane = controlPlaneFixture();
    const before = async ({ method, path }: ApiRequest) => {
      if (method !== 'POST') return;
      const { client } = operator.cluster;
      if (path.endsWith('/mariadbs')) await client.create(MariaDB, placed(mariadb(controlPlane, 'openstack-db')));
      if (path.endsWith('/memcacheds'))
        await client.create(Memcached, placed(memcached(controlPlane, 'openstack-memcached')));
    };
    await using operator = await startControlPlaneOperator({ observer, before });
    await createControlPlane(operator);
    await operator.untilCondition(
      'InfrastructureReady',
      '+InfrastructureReady: All managed backing services are ensured and ready',
    );
  });
}
