// SPDX-License-Identifier: Apache-2.0
import type { ConfigMap, Deployment, Pod } from '@forge/kube/builtin.ts';

/** A config map. */
export function configMap(name: string, data: Record<string, string> = {}, namespace = 'default'): ConfigMap {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace }, data };
}

/** A deployment of one container. */
export function deployment(name: string): Deployment {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace: 'default' },
    spec: {
      selector: { matchLabels: { app: name } },
      template: { metadata: { labels: { app: name } }, spec: { containers: [{ name, image: `${name}:1` }] } },
    },
  };
}

/** A pod of one container, on a node when one is named. */
export function pod(name: string, nodeName?: string): Pod {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace: 'default' },
    spec: { containers: [{ name: 'main', image: 'main:1' }], ...(nodeName !== undefined && { nodeName }) },
  };
}
