// SPDX-License-Identifier: Apache-2.0
import type { PodCondition } from '@forge/kube/generated/types.ts';
import type { Pod } from '@forge/kube/kinds/builtin.ts';
import { defaultPodSpec, requestsFromLimits } from './default-pod-spec.ts';
import { defaults, eachItem, chain } from './defaults.ts';

/** Unset times are serialized as null. */
const unsetTimes = defaults<PodCondition>({ lastProbeTime: null as never, lastTransitionTime: null as never });

/** Defaults of pods. */
export const defaultPod = defaults<Pod>(
  {},
  {
    spec: chain(
      defaultPodSpec,
      defaults(
        { enableServiceLinks: true },
        { containers: eachItem(requestsFromLimits), initContainers: eachItem(requestsFromLimits) },
      ),
    ),
    status: defaults({}, { conditions: eachItem(unsetTimes) }),
  },
);
