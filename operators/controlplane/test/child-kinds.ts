// SPDX-License-Identifier: Apache-2.0
import { Keystone } from '@forge/keystone/api/keystone.ts';
import type { Kind } from '@forge/kube/kinds/kind.ts';
import { ClusterSecretStore, ExternalSecret, PushSecret } from '@forge/kube/third-party/external-secrets.ts';
import { ApplicationCredential, Domain, Endpoint, Service, User } from '@forge/kube/third-party/korc.ts';
import { MariaDB } from '@forge/kube/third-party/mariadb.ts';
import { Memcached } from '@forge/kube/third-party/memcached.ts';

/** Kinds of other operators that ours creates or reads. */
export const childKinds: readonly Kind[] = [
  MariaDB,
  Memcached,
  ClusterSecretStore,
  ExternalSecret,
  PushSecret,
  Keystone,
  Domain,
  User,
  ApplicationCredential,
  Service,
  Endpoint,
];
