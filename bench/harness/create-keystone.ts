// SPDX-License-Identifier: Apache-2.0
import { Keystone } from '@forge/keystone/api/keystone.ts';
import { keystoneConditions } from '@forge/keystone/conditions/condition-catalog.ts';
import type { Client } from '@forge/kube/client/client.ts';
import { Secret } from '@forge/kube/kinds/builtin.ts';
import type { ObjectRef } from '@forge/kube/objects/object.ts';
import { readinessOf } from '@forge/runtime/conditions/readiness.ts';

/** Creates a Keystone on an existing database, its credentials, and an unrelated Secret. */
export async function createKeystone(to: Client, { namespace, name }: ObjectRef): Promise<void> {
  const secret = async (suffix: string, values: Record<string, string>): Promise<string> => {
    const data = Object.fromEntries(Object.entries(values).map(([key, value]) => [key, btoa(value)]));
    const metadata = { namespace: namespace ?? '', name: `${name}-${suffix}` };
    await to.create(Secret, { apiVersion: 'v1', kind: 'Secret', metadata, data });
    return metadata.name;
  };
  const database = await secret('database', { username: 'keystone', password: `${name}-secret` });
  const admin = await secret('administrator', { password: `${name}-admin` });
  await secret('unowned', { certificate: 'x'.repeat(4096) });
  const { apiVersion, kind } = Keystone;
  await to.create(Keystone, {
    apiVersion,
    kind,
    metadata: { namespace: namespace ?? '', name },
    spec: {
      image: { repository: 'c5c3/keystone', tag: '2025.2' },
      database: { host: 'db.example', database: 'keystone', secretRef: { name: database } },
      cache: { servers: ['cache-0:11211', 'cache-1:11211'] },
      bootstrap: { adminPasswordSecretRef: { name: admin } },
    },
  } as Keystone);
}

/** Whether the Keystone is ready. */
export function isReady(keystone: Keystone | undefined): boolean {
  return readinessOf(keystoneConditions, keystone?.status?.conditions).status === 'True';
}
