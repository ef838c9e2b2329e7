// SPDX-License-Identifier: Apache-2.0
import {
  containersOf,
  securityContextFindings,
  listed,
  unlessUserNamespace,
  type CheckedPod,
  type PodCheck,
  type Violation,
} from './pod-check.ts';

/** runAsNonRoot is set for every container. */
export const runAsNonRoot: PodCheck = {
  versions: [
    [0, mayRunAsRoot],
    [35, unlessUserNamespace(mayRunAsRoot)],
  ],
};

function mayRunAsRoot(pod: CheckedPod): Violation | undefined {
  const reason = 'runAsNonRoot != true';
  const { who } = securityContextFindings(pod, (context) => (context.runAsNonRoot === false ? ['false'] : []));
  if (who.length > 0) return { reason, detail: `${who.join(' and ')} must not set securityContext.runAsNonRoot=false` };
  if (pod.spec.securityContext?.runAsNonRoot === true) return undefined;
  const silent = containersOf(pod.spec).filter(({ securityContext }) => securityContext?.runAsNonRoot === undefined);
  if (silent.length === 0) return undefined;
  const names = silent.map(({ name }) => name);
  return { reason, detail: `pod or ${listed('container', names)} must set securityContext.runAsNonRoot=true` };
}

/** runAsUser is not 0. */
export const runAsUser: PodCheck = {
  versions: [
    [23, runsAsRoot],
    [35, unlessUserNamespace(runsAsRoot)],
  ],
};

function runsAsRoot(pod: CheckedPod): Violation | undefined {
  const { who } = securityContextFindings(pod, (context) => (context.runAsUser === 0 ? ['0'] : []));
  return who.length === 0
    ? undefined
    : { reason: 'runAsUser=0', detail: `${who.join(' and ')} must not set runAsUser=0` };
}
