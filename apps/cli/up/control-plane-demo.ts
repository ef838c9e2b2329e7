// SPDX-License-Identifier: Apache-2.0
import { ControlPlane } from '@forge/controlplane/api/control-plane.ts';
import { defaults } from '@forge/controlplane/api/defaults.ts';
import { Keystone } from '@forge/keystone/api/keystone.ts';
import type { KubeObject } from '@forge/kube/objects/object.ts';
import { openbao } from '../openbao/openbao-objects.ts';
import { backingImages, namespace, storeManifest, type Demo } from './demo.ts';

const release = '2025.2';

/** Its name, and the names of its children that the demo shows or checks. */
const names = {
  controlPlane: 'controlplane',
  keystone: 'controlplane-keystone',
  databaseSecret: 'controlplane-keystone-db-credentials',
  adminSecret: 'controlplane-keystone-admin-credentials',
};

/** A ControlPlane: its operator creates everything else. */
export const controlPlaneDemo: Demo = {
  namespace,
  ...names,
  cloudsYaml: {
    secret: defaults.cloudsYaml,
    cloud: defaults.cloud,
    backup: 'controlplane-admin-app-credential-backup',
  },
  operators: ['keystone', 'controlplane'],
  resources: [
    { kind: ControlPlane, name: names.controlPlane },
    { kind: Keystone, name: names.keystone },
  ],
  images: [`ghcr.io/c5c3/keystone:${release}`, backingImages.mariadb, backingImages.memcached, openbao.image],
  manifests: (publicEndpoint) => [
    { kind: ControlPlane, object: controlPlane(names.controlPlane, namespace, publicEndpoint) },
  ],
  secretManifests: () => [storeManifest()],
};

/** A ControlPlane for one machine, with one server of each kind. The webhook sets defaults for omitted fields. */
export function controlPlane(
  name: string,
  inNamespace: string,
  publicEndpoint?: string,
): KubeObject & { spec: unknown } {
  return {
    apiVersion: ControlPlane.apiVersion,
    kind: ControlPlane.kind,
    metadata: { namespace: inNamespace, name },
    spec: {
      openStackRelease: release,
      infrastructure: {
        database: { replicas: 1 },
        cache: { backend: 'oslo_cache.memcache_pool', replicas: 1 },
      },
      services: { keystone: { replicas: 1, ...(publicEndpoint !== undefined && { publicEndpoint }) } },
    },
  };
}
