// SPDX-License-Identifier: Apache-2.0
import { invalid, same, spec, tooSmall, type AdmissionCase } from './admission-case.ts';

const autoscaling = (change: object) => spec({ autoscaling: { maxReplicas: 5, targetCPUUtilization: 80, ...change } });
const noTarget = 'at least one of targetCPUUtilization or targetMemoryUtilization must be set';

/** Replicas and autoscaling. */
export const scaleCases: readonly AdmissionCase[] = [
  tooSmall('spec.replicas', -1, 1, 'replicas must be at least 1'),
  {
    ...tooSmall('spec.autoscaling.maxReplicas', 0, 1, 'maxReplicas must be at least 1'),
    change: autoscaling({ maxReplicas: 0 }),
  },
  {
    ...tooSmall('spec.autoscaling.minReplicas', 0, 1, 'minReplicas must be at least 1'),
    change: autoscaling({ minReplicas: 0 }),
  },
  same(
    'more pods at least than at most',
    autoscaling({ minReplicas: 6 }),
    invalid('spec.autoscaling.minReplicas', 6, 'minReplicas must not exceed maxReplicas'),
  ),
  same(
    'more replicas than autoscaling allows',
    autoscaling({ maxReplicas: 2 }),
    invalid(
      'spec.autoscaling.maxReplicas',
      2,
      'maxReplicas must be >= spec.replicas (3) when minReplicas is not set, because minReplicas defaults to spec.replicas',
    ),
  ),
  ...['targetCPUUtilization', 'targetMemoryUtilization'].map((target): AdmissionCase => ({
    name: `${target} above all`,
    change: autoscaling({ [target]: 101 }),
    webhook: invalid(`spec.autoscaling.${target}`, 101, `${target} must be between 1 and 100`),
    schema: [`spec.autoscaling.${target}`, 'should be less than or equal to 100'],
  })),
  same('nothing to scale by', autoscaling({ targetCPUUtilization: null }), [
    'spec.autoscaling',
    `Required value: ${noTarget}`,
  ]),
];
