// SPDX-License-Identifier: Apache-2.0
import { Secret } from '@forge/kube/kinds/builtin.ts';
import type { Kind } from '@forge/kube/kinds/kind.ts';
import { ApplicationCredential, Domain, User } from '@forge/kube/third-party/korc.ts';
import { fakeKeystones, type FakeKeystone } from '../korc/fake-keystone.ts';
import type { KorcObject } from '../korc/korc-object.ts';
import { korc } from '../korc/korc.ts';
import { adminPassword, applicationCredential, clouds, domain, host, user } from './korc-objects.ts';
import { secret } from './secret-objects.ts';
import { standInCluster, type StandInCluster } from './stand-in-cluster.ts';

/** A cluster with K-ORC and a bootstrapped Keystone, with credentials in the Secret `clouds`. */
export interface KorcCluster extends StandInCluster {
  keystone: FakeKeystone;
  /** The condition Progressing of an object of this name. */
  progressing(kind: Kind<KorcObject>, name: string): Promise<string | undefined>;
  /** Its condition Available. */
  available(kind: Kind<KorcObject>, name: string): Promise<string | undefined>;
  /** The finalizers on a Secret. */
  secretGuards(name: string): Promise<string[]>;
  /** Imports domain and administrator, and creates a credential with the secret `s3cret`. */
  mint(resource?: Parameters<typeof applicationCredential>[0]): Promise<void>;
}

/** Progressing of an object that is up to date. */
export const upToDate = 'False Success: OpenStack resource is up to date';

/** Available of an object that is available. */
export const available = 'True Success: OpenStack resource is available';

/** A reference to the object of this name. */
export const at = (name: string) => ({ namespace: 'default', name });

/** Starts the cluster. */
export async function korcCluster(): Promise<KorcCluster> {
  const keystones = fakeKeystones();
  const keystone = keystones.at(host);
  keystone.bootstrap({ password: adminPassword });
  const cluster = await standInCluster((clock) => korc(() => keystones.reachedBy(clock), clock));
  const { client, clock } = cluster;
  await client.create(Secret, clouds());
  return {
    ...cluster,
    keystone,
    progressing: (kind, name) => cluster.condition('Progressing', kind, at(name)),
    available: (kind, name) => cluster.condition('Available', kind, at(name)),
    secretGuards: async (name) => (await client.get(Secret, at(name))).metadata.finalizers ?? [],
    async mint(resource = {}) {
      await client.create(Secret, secret('mint', { value: 's3cret' }));
      await client.create(Domain, domain());
      await client.create(User, user());
      await client.create(ApplicationCredential, applicationCredential(resource));
      await clock.settle();
    },
  };
}
