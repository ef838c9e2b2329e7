// SPDX-License-Identifier: Apache-2.0
import { int32 } from '@forge/kube/schema/field.ts';
import { fieldRule, rules } from '@forge/kube/schema/rules.ts';
import { rule } from '@forge/kube/schema/schema-types.ts';
import { Type } from 'typebox';

export const targetMessage = 'at least one of targetCPUUtilization or targetMemoryUtilization must be set';
export const minExceedsMax = 'minReplicas must not exceed maxReplicas';

const utilization = (resource: string) =>
  Type.Optional(
    int32(
      `Average ${resource} of the API pods to aim for, in percent of what they request. At least one target is needed.`,
      { minimum: 1, maximum: 100 },
    ),
  );

export const autoscaling = Type.Object(
  {
    minReplicas: Type.Optional(int32('Least number of API pods; spec.replicas when absent.', { minimum: 1 })),
    maxReplicas: int32('Greatest number of API pods.', { minimum: 1 }),
    targetCPUUtilization: utilization('CPU use'),
    targetMemoryUtilization: utilization('memory use'),
  },
  {
    description:
      'Horizontal autoscaling of the API pods. While it is set, spec.replicas no longer decides how many there are; ' +
      'when it is removed, the number at that moment stays until spec.replicas changes.',
    ...rules(
      rule('has(self.targetCPUUtilization) || has(self.targetMemoryUtilization)', targetMessage),
      fieldRule('.minReplicas', '!has(self.minReplicas) || self.minReplicas <= self.maxReplicas', {
        message: minExceedsMax,
      }),
    ),
  },
);
