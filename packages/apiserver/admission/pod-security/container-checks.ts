// SPDX-License-Identifier: Apache-2.0
import {
  always,
  containerFindings,
  listed,
  quoted,
  unlessUserNamespace,
  unlessWindows,
  type CheckedPod,
  type PodCheck,
  type Violation,
} from './pod-check.ts';

/** No privileged containers. */
export const privileged: PodCheck = always((pod) => {
  const { who } = containerFindings(pod, ({ securityContext }) =>
    securityContext?.privileged === true ? ['true'] : [],
  );
  if (who.length === 0) return undefined;
  return { reason: 'privileged', detail: `${listed('container', who)} must not set securityContext.privileged=true` };
});

/** No privilege escalation. */
export const privilegeEscalation: PodCheck = {
  versions: [
    [8, escalating],
    [25, unlessWindows(escalating)],
  ],
};

function escalating(pod: CheckedPod): Violation | undefined {
  const { who } = containerFindings(pod, ({ securityContext }) =>
    securityContext?.allowPrivilegeEscalation === false ? [] : ['true'],
  );
  if (who.length === 0) return undefined;
  const detail = `${listed('container', who)} must set securityContext.allowPrivilegeEscalation=false`;
  return { reason: 'allowPrivilegeEscalation != false', detail };
}

/** Default procMount only, unless the pod has a user namespace. */
export const procMountBaseline: PodCheck = {
  versions: [
    [0, unmasked],
    [35, unlessUserNamespace(unmasked)],
  ],
};

/** Default procMount only. */
export const procMountRestricted: PodCheck = { versions: [[35, unmasked]], replaces: procMountBaseline };

function unmasked(pod: CheckedPod): Violation | undefined {
  const { who, values } = containerFindings(pod, ({ securityContext: { procMount = 'Default' } = {} }) =>
    procMount === 'Default' ? [] : [procMount],
  );
  if (who.length === 0) return undefined;
  const detail = `${listed('container', who)} must not set securityContext.procMount to ${quoted(values)}`;
  return { reason: 'procMount', detail };
}
