// SPDX-License-Identifier: Apache-2.0
import { Keystone } from '@forge/keystone/keystone.ts';
import { defaultSecretStore } from '@forge/keystone/step.ts';
import type { Kind } from '@forge/kube/kinds/kind.ts';
import type { KubeObject } from '@forge/kube/objects/object.ts';
import { ClusterSecretStore, ExternalSecret } from '@forge/kube/third-party/external-secrets.ts';
import { MariaDB } from '@forge/kube/third-party/mariadb.ts';
import { Memcached } from '@forge/kube/third-party/memcached.ts';
import { clusterSecretStore } from '../openbao/configure-openbao.ts';
import { openbao } from '../openbao/openbao-objects.ts';
import { credentialPaths } from '../openbao/seed.ts';

/** Namespace and names of the objects that `forge up` creates. */
export const demo = {
  namespace: 'openstack',
  keystone: 'keystone',
  databaseSecret: 'keystone-db',
  adminSecret: 'keystone-admin',
  mariadb: 'mariadb',
  memcached: 'memcached',
} as const;

const images = {
  mariadb: 'mariadb:10.11',
  memcached: 'memcached:1.6',
  keystone: { repository: 'c5c3/keystone', tag: '2025.2' },
};

/** The images of the demo and of OpenBao. */
export const demoImages = [
  `${images.keystone.repository}:${images.keystone.tag}`,
  images.mariadb,
  images.memcached,
  openbao.image,
];

/** An object to create once, with its kind. */
export interface Manifest<T extends KubeObject = KubeObject> {
  kind: Kind<T>;
  object: T;
}

/**
 * A MariaDB, a Memcached, and a Keystone in managed mode that uses them. They are created once and never overwritten:
 * changes by the user persist. Fields with a schema default are omitted, as a user would do.
 */
export function demoManifests(publicEndpoint: string): Manifest[] {
  return [
    manifest(MariaDB, {
      metadata: named(demo.mariadb),
      spec: { image: images.mariadb, replicas: 1, storage: { size: '1Gi' } },
    }),
    manifest(Memcached, { metadata: named(demo.memcached), spec: { image: images.memcached, replicas: 1 } }),
    {
      kind: Keystone,
      object: keystone(publicEndpoint),
    },
  ];
}

/** The Secrets that the Keystone names, from OpenBao. */
export function secretManifests(): Manifest[] {
  const paths = credentialPaths(demo);
  return [
    manifest(ClusterSecretStore, clusterSecretStore(defaultSecretStore)),
    fromOpenBao(demo.databaseSecret, paths.database, ['username', 'password']),
    fromOpenBao(demo.adminSecret, paths.admin, ['password']),
  ];
}

function keystone(publicEndpoint: string): KubeObject & { spec: unknown } {
  return {
    apiVersion: Keystone.apiVersion,
    kind: Keystone.kind,
    metadata: named(demo.keystone),
    spec: {
      replicas: 1,
      image: images.keystone,
      database: {
        clusterRef: { name: demo.mariadb },
        database: 'keystone',
        secretRef: { name: demo.databaseSecret },
      },
      cache: { clusterRef: { name: demo.memcached }, backend: 'oslo_cache.memcache_pool' },
      bootstrap: { adminPasswordSecretRef: { name: demo.adminSecret }, publicEndpoint },
    },
  };
}

function fromOpenBao(name: string, key: string, properties: readonly string[]): Manifest {
  return manifest(ExternalSecret, {
    metadata: named(name),
    spec: {
      secretStoreRef: { kind: 'ClusterSecretStore', name: defaultSecretStore },
      target: { name, creationPolicy: 'Owner' },
      data: properties.map((property) => ({ secretKey: property, remoteRef: { key, property } })),
    },
  });
}

function named(name: string) {
  return { namespace: demo.namespace, name };
}

function manifest<T extends KubeObject>(kind: Kind<T>, object: Omit<T, 'apiVersion' | 'kind'>): Manifest {
  return { kind, object: { ...object, apiVersion: kind.apiVersion, kind: kind.kind } };
}
