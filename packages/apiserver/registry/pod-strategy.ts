// SPDX-License-Identifier: Apache-2.0
import type { Pod } from '@forge/kube/kinds/builtin.ts';
import type { Strategy } from '../resources/resource.ts';
import { validatePod } from '../validation/pods/pod-rules.ts';
import { newPodWarnings } from '../warnings/template-warnings.ts';
import { defaultPod } from './defaults/default-workloads.ts';
import { qosClassOf } from './qos-class.ts';

/** The strategy of pods: they start pending, and their kubelet ends them. */
export const podStrategy: Strategy<Pod> = {
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
