// SPDX-License-Identifier: Apache-2.0
import { Keystone } from '@forge/keystone/api/keystone.ts';
import type { KubeObject } from '@forge/kube/objects/object.ts';
import { ExternalSecret } from '@forge/kube/third-party/external-secrets.ts';
import { MariaDB } from '@forge/kube/third-party/mariadb.ts';
import { Memcached } from '@forge/kube/third-party/memcached.ts';
import { defaultSecretStore } from '@forge/openstack/secret-store.ts';
import { openbao } from '../openbao/openbao-objects.ts';
import { credentialPaths } from '../openbao/seed.ts';
import { backingImages, manifest, namespace, storeManifest, type Demo, type Manifest } from './demo.ts';

const names = {
  keystone: 'keystone',
  databaseSecret: 'keystone-db',
  adminSecret: 'keystone-admin',
  mariadb: 'mariadb',
  memcached: 'memcached',
};
const image = { repository: 'c5c3/keystone', tag: '2025.2' };

/** A Keystone in managed mode, and the MariaDB, Memcached and Secrets that it uses, created separately. */
export const keystoneDemo: Demo = {
  namespace,
  ...names,
  operators: ['keystone'],
  resources: [{ kind: Keystone, name: names.keystone }],
  images: [`${image.repository}:${image.tag}`, backingImages.mariadb, backingImages.memcached, openbao.image],

  /**
   * Objects are created once and never overwritten: changes by the user persist. Fields with a schema default are
   * omitted.
   */
  manifests: (publicEndpoint) => [
    manifest(MariaDB, {
      metadata: named(names.mariadb),
      spec: { image: backingImages.mariadb, replicas: 1, storage: { size: '1Gi' } },
    }),
    manifest(Memcached, {
      metadata: named(names.memcached),
      spec: { image: backingImages.memcached, replicas: 1 },
    }),
    { kind: Keystone, object: keystone(publicEndpoint) },
  ],

  secretManifests() {
    const paths = credentialPaths({ namespace, keystone: names.keystone });
    return [
      storeManifest(),
      fromOpenBao(names.databaseSecret, paths.database, ['username', 'password']),
      fromOpenBao(names.adminSecret, paths.admin, ['password']),
    ];
  },
};

function keystone(publicEndpoint: string): KubeObject & { spec: unknown } {
  return {
    apiVersion: Keystone.apiVersion,
    kind: Keystone.kind,
    metadata: named(names.keystone),
    spec: {
      replicas: 1,
      image,
      database: {
        clusterRef: { name: names.mariadb },
        database: 'keystone',
        secretRef: { name: names.databaseSecret },
      },
      cache: { clusterRef: { name: names.memcached }, backend: 'oslo_cache.memcache_pool' },
      bootstrap: { adminPasswordSecretRef: { name: names.adminSecret }, publicEndpoint },
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
  return { namespace, name };
}
