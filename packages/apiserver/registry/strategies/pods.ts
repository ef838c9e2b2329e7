// SPDX-License-Identifier: Apache-2.0
import type { Pod } from '@forge/kube/kinds/builtin.ts';
import type { Strategy } from '../../resources/resource.ts';
import { validatePod } from '../../validation/pods/pods.ts';
import { newPodWarnings } from '../../warnings/pods.ts';
import { defaultPod } from '../defaults/pods.ts';
import { qosClassOf } from './qos-class.ts';
import { strategy } from './strategy.ts';

/** The strategy of pods: they start in phase Pending, and running ones are deleted with a grace period. */
const podStrategy: Strategy<Pod> = {
  default: defaultPod,
  prepareForCreate: (object) => ({
    ...object,
    status: { phase: 'Pending', ...(object.spec !== undefined && { qosClass: qosClassOf(object.spec) }) },
  }),
  validate: validatePod,
  warnings: newPodWarnings,
  metadataKeptOnStatusUpdate: ['ownerReferences'],
  gracePeriod({ spec, status, metadata }, requested) {
    // Unscheduled and finished pods need no grace period.
    if ((spec?.nodeName ?? '') === '' || status?.phase === 'Succeeded' || status?.phase === 'Failed') return 0;
    return requested ?? metadata.deletionGracePeriodSeconds ?? spec?.terminationGracePeriodSeconds ?? 30;
  },
  selectableFields: [
    'spec.nodeName',
    'spec.restartPolicy',
    'spec.schedulerName',
    'spec.serviceAccountName',
    'spec.hostNetwork',
    'status.phase',
    'status.podIP',
    'status.nominatedNodeName',
  ],
  generation: true,
  returnsDeletedObject: true,
};

/** By kind. */
export const podStrategies: Readonly<Record<string, Strategy>> = {
  Pod: strategy(podStrategy),
};
