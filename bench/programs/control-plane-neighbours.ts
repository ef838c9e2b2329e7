// SPDX-License-Identifier: Apache-2.0
import { externalSecrets } from '@forge/cluster/stand-ins/external-secrets/external-secrets.ts';
import { fakeVault } from '@forge/cluster/stand-ins/external-secrets/fake-vault.ts';
import { fakeKeystones } from '@forge/cluster/stand-ins/korc/fake-keystone.ts';
import { korc } from '@forge/cluster/stand-ins/korc/korc.ts';
import { fakeSql } from '@forge/cluster/stand-ins/mariadb/fake-sql.ts';
import { mariadbOperator } from '@forge/cluster/stand-ins/mariadb/mariadb.ts';
import { memcachedOperator } from '@forge/cluster/stand-ins/memcached/memcached.ts';
import { playedKeystoneOperator } from '@forge/controlplane/test/played-keystone.ts';
import type { ObjectRef } from '@forge/kube/objects/object.ts';
import type { Controller } from '@forge/runtime/controller/controller.ts';
import type { Clock } from '@forge/runtime/time/clock.ts';
import { healthyKeystones } from './healthy-keystones.ts';

/** The operators beside that of control planes, on paper. */
export interface Neighbours {
  controllers: readonly Controller[];
  /** Puts the credentials of a ControlPlane into the secret store, and its Keystone behind its address. */
  add: (ref: ObjectRef) => void;
}

const admin = { password: 'admin-secret' };

/** All of them; Keystones are reconciled by their operator, or `played`: ready at once. */
export function controlPlaneNeighbours(
  clock: Clock,
  { keystones: kind }: { keystones: 'played' | 'reconciled' },
): Neighbours {
  const vault = fakeVault();
  const keystones = fakeKeystones();
  const standIns = [
    mariadbOperator(fakeSql().reachedBy(clock)),
    memcachedOperator(),
    externalSecrets(vault.reachedBy(clock)),
    korc(() => keystones.reachedBy(clock), clock),
    kind === 'played' ? playedKeystoneOperator() : { controllers: healthyKeystones() },
  ];
  return {
    controllers: standIns.flatMap(({ controllers }) => controllers),
    add({ namespace, name }) {
      vault.write(`kv-v2/openstack/keystone/${namespace}/${name}/db`, { username: 'keystone', password: 'db-secret' });
      vault.write(`kv-v2/bootstrap/${namespace}/${name}-keystone/admin`, admin);
      keystones.at(`${name}-keystone.${namespace}.svc`).bootstrap(admin);
    },
  };
}
