// SPDX-License-Identifier: Apache-2.0
import type { SeededBug } from './seeded-bug.ts';

/** Bugs of the built-in admission. */
export const admissionBugs: readonly SeededBug[] = [
  {
    name: 'a deleted default ServiceAccount is not recreated',
    caughtBy: 'every namespace has a default service account, which comes back',
    file: 'apiserver/controllers/per-namespace-object.ts',
    find: 'else if (key === keyIn(namespace)) queue.correct(namespace);',
    replace: '',
  },
  {
    name: 'a pod may name a missing ServiceAccount',
    caughtBy: 'a pod whose account does not exist is refused',
    file: 'apiserver/admission/service-account.ts',
    find: 'if (account === undefined) {',
    replace: 'if (account === undefined) return object;\n  if (account === undefined) {',
  },
  {
    name: 'init containers get no token',
    caughtBy: "a pod gets its account's token in every container",
    file: 'apiserver/admission/token-volume.ts',
    find: 'initContainers: initContainers.map(mounted)',
    replace: 'initContainers',
  },
  {
    name: 'a token is mounted over an existing mount',
    caughtBy: 'a container that mounts something else in its place gets no token',
    file: 'apiserver/admission/token-volume.ts',
    find: 'hasMount(container) ? container :',
    replace: "hasMount(container) && name === '' ? container :",
  },
  {
    name: 'the ServiceAccount overrides the automount setting of the pod',
    caughtBy: 'whether a token is mounted says the pod, else its account',
    file: 'apiserver/admission/service-account.ts',
    find: 'spec.automountServiceAccountToken ?? account.automountServiceAccountToken',
    replace: 'account.automountServiceAccountToken ?? spec.automountServiceAccountToken',
  },
  {
    name: 'a mirror pod is admitted like any other',
    caughtBy: 'a mirror pod gets nothing, and may ask for nothing',
    file: 'apiserver/admission/service-account.ts',
    find: 'if (isMirrorPod(pod)) {',
    replace: 'if (isMirrorPod(pod) && pod.spec === undefined) {',
  },
  {
    name: 'an updated pod loses its priority',
    caughtBy: 'a pod has the priority of its class, and keeps it',
    file: 'apiserver/admission/priority.ts',
    find: 'unchangedPriority(spec, before as Pod)',
    replace: '{}',
  },
  {
    name: 'a system priority can be deleted',
    caughtBy: 'the priorities of the system are there and stay',
    file: 'apiserver/registry/strategies/policy.ts',
    find: 'Object.hasOwn(systemPriorities, metadata.name)',
    replace: "metadata.name === ''",
  },
  {
    name: 'invalid Pod Security labels are accepted',
    caughtBy: 'demands on pods that cannot be read are refused',
    file: 'apiserver/admission/namespace-security.ts',
    find: 'if (errors.length > 0 &&',
    replace: 'if (errors.length > 9 &&',
  },
  {
    name: 'the restricted level reports baseline violations twice',
    caughtBy: 'what only a restricted namespace forbids',
    file: 'apiserver/admission/pod-security/violations.ts',
    find: 'baseline.filter((check) => !replaced.has(check))',
    replace: 'baseline.filter((check) => replaced.size >= 0 || check !== undefined)',
  },
  {
    name: 'an older version has checks of later ones',
    caughtBy: 'a namespace may hold on to what an older version demanded',
    file: 'apiserver/admission/pod-security/violations.ts',
    find: 'versions.findLast(([since]) => since <= version)',
    replace: 'versions.findLast(([since]) => since <= version || since > version)',
  },
  {
    name: 'a violating template is rejected like a pod',
    caughtBy: 'who writes a template of pods that would be refused is warned',
    file: 'apiserver/admission/pod-security.ts',
    find: 'isPod ? violationText(pod, policy.enforce) : undefined',
    replace: 'violationText(pod, policy.enforce)',
  },
  {
    name: 'every pod update is checked again',
    caughtBy: 'who writes a template of pods that would be refused is warned',
    file: 'apiserver/admission/pod-security.ts',
    find: '(isPod && hasSameImages(write))',
    replace: '(!isPod && hasSameImages(write))',
  },
  {
    name: 'a relaxed level causes warnings about pods',
    caughtBy: 'who demands more hears of the pods that do not meet it',
    file: 'apiserver/admission/namespace-security.ts',
    find: 'isStricter(now.level, before.level)',
    replace: 'now.level !== before.level',
  },
];
