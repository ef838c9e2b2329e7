// SPDX-License-Identifier: Apache-2.0
import type { Kind } from '@forge/kube/kinds/kind.ts';
import type { Condition, KubeObject } from '@forge/kube/objects/object.ts';
import { ClusterSecretStore } from '@forge/kube/third-party/external-secrets.ts';
import { defaultSecretStore } from '@forge/openstack/secret-store.ts';
import type { OperatorName } from '../../../operators/operators.ts';
import { clusterSecretStore } from '../openbao/configure-openbao.ts';
import type { SeedTarget } from '../openbao/seed.ts';

/** An object to create once, with its kind. */
export interface Manifest<T extends KubeObject = KubeObject> {
  kind: Kind<T>;
  object: T;
}

/** A resource of one of our operators. */
export type OwnResource = KubeObject & {
  status?: { conditions?: readonly Condition[]; observedGeneration?: number };
};

/** The resources that `forge up` runs on its cluster. */
export interface Demo extends SeedTarget {
  /** The Secrets that come from OpenBao. */
  databaseSecret: string;
  adminSecret: string;
  /** The Secret with the clouds.yaml of the admin application credential, and its PushSecret, if any. */
  cloudsYaml?: { secret: string; cloud: string; backup: string };
  operators: readonly OperatorName[];
  /** The resources of our operators; the first one is the root of all others. */
  resources: readonly [{ kind: Kind<OwnResource>; name: string }, ...{ kind: Kind<OwnResource>; name: string }[]];
  images: readonly string[];
  /** The objects that do not need External Secrets. */
  manifests(publicEndpoint: string): Manifest[];
  /** The objects that are created once OpenBao has the credentials. */
  secretManifests(): Manifest[];
}

/** The namespace of the demo's objects. */
export const namespace = 'openstack';

/** The default images of backing services. */
export const backingImages = { mariadb: 'mariadb:10.11', memcached: 'memcached:1.6' };

/** The ClusterSecretStore for OpenBao. */
export const storeManifest = (): Manifest => manifest(ClusterSecretStore, clusterSecretStore(defaultSecretStore));

/** An object of the demo with its kind. */
export function manifest<T extends KubeObject>(kind: Kind<T>, object: Omit<T, 'apiVersion' | 'kind'>): Manifest {
  return { kind, object: { ...object, apiVersion: kind.apiVersion, kind: kind.kind } };
}
