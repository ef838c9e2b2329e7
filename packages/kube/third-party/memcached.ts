// SPDX-License-Identifier: Apache-2.0
import { Type } from 'typebox';
import { kind, type ObjectOf } from '../kinds/kind.ts';
import { choice, conditions } from '../schema/schema-types.ts';
import { openObject } from './open-schema.ts';

/** Memcached servers behind one headless Service. */
export const Memcached = kind({
  group: 'memcached.c5c3.io',
  version: 'v1beta1',
  kind: 'Memcached',
  plural: 'memcacheds',
  description: 'Memcached servers behind one headless Service.',
  spec: openObject(
    {
      replicas: Type.Optional(Type.Integer({ minimum: 0, maximum: 64, default: 1, format: 'int32' })),
      image: Type.Optional(Type.String({ default: 'memcached:1.6' })),
      resources: Type.Optional(
        openObject({ limits: Type.Optional(openObject({ memory: Type.Optional(Type.String({ maxLength: 32 })) })) }),
      ),
      memcached: Type.Optional(
        openObject(
          {
            maxMemoryMB: Type.Optional(Type.Integer({ minimum: 16, maximum: 65_536, default: 64 })),
            maxConnections: Type.Optional(Type.Integer({ default: 1024 })),
            threads: Type.Optional(Type.Integer({ minimum: 1, maximum: 128, default: 4 })),
            maxItemSize: Type.Optional(Type.String({ pattern: '^[0-9]+(k|m)$', default: '1m' })),
            verbosity: Type.Optional(Type.Integer({ minimum: 0, maximum: 2 })),
            extraArgs: Type.Optional(Type.Array(Type.String())),
          },
          { default: {} },
        ),
      ),
      highAvailability: Type.Optional(
        openObject({ antiAffinityPreset: Type.Optional(choice(['soft', 'hard'], { default: 'soft' })) }),
      ),
      autoscaling: Type.Optional(openObject({ enabled: Type.Optional(Type.Boolean()) })),
    },
    {
      'x-kubernetes-validations': [
        {
          rule: '!has(self.resources) || !has(self.resources.limits) || !has(self.resources.limits.memory) || quantity(self.resources.limits.memory).asApproximateFloat() >= double((self.memcached.maxMemoryMB + 32) * 1048576)',
          message: 'memory limit must be at least spec.memcached.maxMemoryMB + 32Mi',
          fieldPath: '.resources',
        },
        {
          // The default of replicas is 1: the real webhook sets it when autoscaling is disabled.
          rule: '!has(self.autoscaling) || !has(self.autoscaling.enabled) || !self.autoscaling.enabled || self.replicas <= 1',
          message: 'spec.replicas and spec.autoscaling.enabled are mutually exclusive',
          fieldPath: '.replicas',
        },
      ],
    },
  ),
  status: openObject({
    conditions: conditions(),
    readyReplicas: Type.Optional(Type.Integer()),
    observedGeneration: Type.Optional(Type.Integer()),
    serverList: Type.Optional(Type.Array(Type.String())),
  }),
});
export type Memcached = ObjectOf<typeof Memcached>;
