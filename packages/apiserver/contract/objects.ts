// SPDX-License-Identifier: Apache-2.0
import type { KubeObject } from '@forge/kube/object.ts';

type Metadata = Partial<KubeObject['metadata']>;

/** A config map. */
export function configMap(name: string, data: Record<string, string> = {}, metadata: Metadata = {}) {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, ...metadata }, data };
}

/** A deployment of one container. */
export function deployment(name: string, spec: Record<string, unknown> = {}) {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name },
    spec: {
      selector: { matchLabels: { app: name } },
      template: { metadata: { labels: { app: name } }, spec: { containers: [{ name: 'main', image: 'example:1' }] } },
      ...spec,
    },
  };
}

/** A pod of one container that mounts no token, on a node when the spec names one. */
export function pod(name: string, spec: Record<string, unknown> = {}) {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name },
    spec: { automountServiceAccountToken: false, containers: [{ name: 'main', image: 'example:1' }], ...spec },
  };
}

/** The reference with which an object names its owner. */
export function ownerReference({ apiVersion, kind, metadata: { name, uid } }: KubeObject, more: object = {}) {
  return { apiVersion, kind, name, uid: uid ?? '', ...more };
}
