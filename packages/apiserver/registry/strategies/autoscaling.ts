// SPDX-License-Identifier: Apache-2.0
import type { HorizontalPodAutoscaler } from '@forge/kube/kinds/builtin.ts';
import type { Strategy } from '../../resources/resource.ts';
import { validateAutoscaler } from '../../validation/kinds/autoscaling.ts';
import { defaultAutoscaler, fillAutoscaler } from '../defaults/autoscaling.ts';
import { strategy } from './strategy.ts';

/** By kind. */
export const autoscalingStrategies: Readonly<Record<string, Strategy>> = {
  HorizontalPodAutoscaler: strategy<HorizontalPodAutoscaler>({
    default: defaultAutoscaler,
    prepareForCreate: (object) => ({ ...object, status: { desiredReplicas: 0 } }),
    fillZeroValues: fillAutoscaler,
    validate: validateAutoscaler,
  }),
};
