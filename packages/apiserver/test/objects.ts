// SPDX-License-Identifier: Apache-2.0
import type { ConfigMap, Deployment, Pod } from '@forge/kube/kinds/builtin.ts';
import type { Kind } from '@forge/kube/kinds/kind.ts';
import type { KubeObject } from '@forge/kube/objects/object.ts';

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

/** A custom resource. */
export interface Backup extends KubeObject {
  spec: { schedule: string; copies?: number; colour?: string };
  status?: { conditions?: { type: string; status: string }[] };
}

/** A custom kind with defaults, status and printer columns. */
export const Backup: Kind<Backup> = {
  group: 'example.com',
  version: 'v1',
  kind: 'Backup',
  plural: 'backups',
  singular: 'backup',
  scope: 'Namespaced',
  apiVersion: 'example.com/v1',
  shortNames: ['bk'],
  categories: ['all'],
  schema: {
    type: 'object',
    properties: {
      spec: {
        type: 'object',
        required: ['schedule'],
        properties: {
          schedule: { type: 'string', minLength: 1 },
          copies: { type: 'integer', default: 3, minimum: 1 },
        },
      },
      status: {
        type: 'object',
        properties: {
          conditions: {
            type: 'array',
            items: { type: 'object', properties: { type: { type: 'string' }, status: { type: 'string' } } },
          },
        },
      },
    },
  },
  subresources: ['status'],
  printerColumns: [
    { name: 'Copies', type: 'integer', jsonPath: '.spec.copies' },
    { name: 'Ready', type: 'string', jsonPath: ".status.conditions[?(@.type=='Ready')].status" },
    { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
  ],
};
