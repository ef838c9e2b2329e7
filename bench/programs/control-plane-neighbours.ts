// SPDX-License-Identifier: Apache-2.0
import { externalSecrets } from '@forge/cluster/stand-ins/external-secrets/external-secrets.ts';
import { fakeVault } from '@forge/cluster/stand-ins/external-secrets/fake-vault.ts';
import { fakeKeystones } from '@forge/cluster/stand-ins/korc/fake-keystone.ts';
import { korc } from '@forge/cluster/stand-ins/korc/korc.ts';
import { fakeSql } from '@forge/cluster/stand-ins/mariadb/fake-sql.ts';
import { mariadbOperator } from '@forge/cluster/stand-ins/mariadb/mariadb.ts';
import { memcachedOperator } from '@forge/cluster/stand-ins/memcached.ts';
import { playedKeystoneOperator } from '@forge/controlplane/test/played-keystone.ts';
import type { ObjectRef } from '@forge/kube/objects/object.ts';
import type { Controller } from '@forge/runtime/controller/controller.ts';
import type { Clock } from '@forge/runtime/environment/clock.ts';
import { healthyKeystones } from './healthy-keystones.ts';

/** The other operators of a ControlPlane, emulated. */
export interface Neighbours {
  controllers: readonly Controller[];
  /** Adds the credentials of a ControlPlane to the secret store, and a Keystone at its address. */
  add: (ref: ObjectRef) => void;
}

const admin = { password: 'admin-secret' };

/** All of them; Keystones are `reconciled` by their operator, or `emulated`: ready at once. */
export function controlPlaneNeighbours(
  clock: Clock,
  { keystones: kind }: { keystones: 'emulated' | 'reconciled' },
): Neighbours {
  const vault = fakeVault();
  const keystones = fakeKeystones();
  const standIns = [
    mariadbOperator(fakeSql().reachedBy(clock)),
    memcachedOperator(),
    externalSecrets(vault.reachedBy(clock)),
    korc(() => keystones.reachedBy(clock), clock),
    kind === 'emulated' ? playedKeystoneOperator() : { controllers: healthyKeystones() },
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
