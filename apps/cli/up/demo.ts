// SPDX-License-Identifier: Apache-2.0
import { Keystone } from '@forge/keystone/keystone.ts';
import type { Container, PodSpec } from '@forge/kube/generated/types.ts';
import { Deployment, Namespace, PersistentVolumeClaim, Secret, Service } from '@forge/kube/kinds/builtin.ts';
import type { Kind } from '@forge/kube/kinds/kind.ts';
import type { KubeObject } from '@forge/kube/objects/object.ts';
import type { Random } from '@forge/runtime/random/random.ts';

/** Namespace and names of the objects that `forge up` creates. */
export const demo = { namespace: 'openstack', keystone: 'keystone', adminSecret: 'keystone-admin' } as const;

/** An object to create once, with its kind. */
export interface Manifest<T extends KubeObject = KubeObject> {
  kind: Kind<T>;
  object: T;
}

/**
 * A database, a cache and a Keystone that uses them. They are created once and never overwritten: changes by the user
 * persist.
 */
export function demoManifests(random: Random, publicEndpoint: string): Manifest[] {
  const database = 'keystone';
  return [
    manifest(Namespace, { metadata: { name: demo.namespace } }),
    secret('mariadb-root', { password: password(random) }),
    secret('keystone-db', { username: 'keystone', password: password(random) }),
    secret(demo.adminSecret, { password: password(random) }),
    manifest(PersistentVolumeClaim, {
      metadata: { name: 'mariadb', namespace: demo.namespace },
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
    }),
    ...server(
      'mariadb',
      3306,
      {
        image: 'mariadb:10.11',
        env: [
          fromSecret('MARIADB_ROOT_PASSWORD', 'mariadb-root', 'password'),
          { name: 'MARIADB_DATABASE', value: database },
          fromSecret('MARIADB_USER', 'keystone-db', 'username'),
          fromSecret('MARIADB_PASSWORD', 'keystone-db', 'password'),
        ],
        volumeMounts: [{ name: 'data', mountPath: '/var/lib/mysql' }],
      },
      [{ name: 'data', persistentVolumeClaim: { claimName: 'mariadb' } }],
    ),
    ...server('memcached', 11211, { image: 'memcached:1.6', args: ['memcached', '-m', '64'] }),
    {
      kind: Keystone,
      object: keystone(database, publicEndpoint),
    },
  ];
}

/** Fields with a schema default are omitted, as a user would do. */
function keystone(database: string, publicEndpoint: string): KubeObject & { spec: unknown } {
  return {
    apiVersion: Keystone.apiVersion,
    kind: Keystone.kind,
    metadata: { name: demo.keystone, namespace: demo.namespace },
    spec: {
      replicas: 1,
      image: { repository: 'c5c3/keystone', tag: '2025.2' },
      database: { host: `mariadb.${demo.namespace}.svc`, database, secretRef: { name: 'keystone-db' } },
      cache: { backend: 'oslo_cache.memcache_pool', servers: [`memcached.${demo.namespace}.svc:11211`] },
      bootstrap: { adminPasswordSecretRef: { name: demo.adminSecret }, publicEndpoint },
    },
  };
}

/** One pod that listens on one port, and its Service. */
function server(
  name: string,
  port: number,
  container: Omit<Container, 'name'>,
  volumes: PodSpec['volumes'] = [],
): Manifest[] {
  const metadata = { name, namespace: demo.namespace, labels: { 'app.kubernetes.io/name': name } };
  return [
    manifest(Deployment, {
      metadata,
      spec: {
        replicas: 1,
        // A volume has one writer: the old pod stops before the new one starts.
        strategy: { type: 'Recreate' },
        selector: { matchLabels: metadata.labels },
        template: {
          metadata: { labels: metadata.labels },
          spec: {
            containers: [
              {
                name,
                ...container,
                ports: [{ containerPort: port }],
                readinessProbe: { tcpSocket: { port }, periodSeconds: 1 },
              },
            ],
            volumes,
          },
        },
      },
    }),
    manifest(Service, { metadata, spec: { selector: metadata.labels, ports: [{ port }] } }),
  ];
}

function secret(name: string, values: Record<string, string>): Manifest {
  const data = Object.fromEntries(
    Object.entries(values).map(([key, value]) => [key, Buffer.from(value).toString('base64')]),
  );
  return manifest(Secret, { metadata: { name, namespace: demo.namespace }, type: 'Opaque', data });
}

function fromSecret(name: string, secretName: string, key: string) {
  return { name, valueFrom: { secretKeyRef: { name: secretName, key } } };
}

function manifest<T extends KubeObject>(kind: Kind<T>, object: Omit<T, 'apiVersion' | 'kind'>): Manifest {
  return { kind, object: { apiVersion: kind.apiVersion, kind: kind.kind, ...object } };
}

function password(random: Random): string {
  return Buffer.from(random.bytes(24)).toString('base64url');
}
