// SPDX-License-Identifier: Apache-2.0
import type { OperatorBug } from '@forge/testing/bugs/operator-bugs.ts';

/** Bugs of the API pods, what surrounds them, and their configuration. */
export const rolloutBugs: readonly OperatorBug[] = [
  {
    name: 'a rollout counts as complete while old pods serve',
    caughtBy: [
      'steps/deployment.test.ts',
      'is False until the last old pod is replaced, although as many serve as are wanted',
    ],
    file: 'steps/deployment.ts',
    find: 'if (isRolledOut(live)) {',
    replace: 'if (isAvailable(live)) {',
  },
  {
    name: 'a change of the pods passes for one of their number',
    caughtBy: [
      'steps/deployment.test.ts',
      'is False from the pass that changes the pods on, as long as new ones crash: RollingUpdate',
    ],
    file: 'steps/deployment.ts',
    find: 'rolledOutTemplate === template && isScaling(live, former)',
    replace: 'isScaling(live, former)',
  },
  {
    name: 'more pods make a Keystone unready',
    caughtBy: [
      'steps/deployment.test.ts',
      'stays True while more pods come, as long as the former number serves, and goes with one of those',
    ],
    file: 'steps/rollout/rollout.ts',
    find: 'Math.min(formerReplicas, spec?.replicas ?? 1)',
    replace: '(spec?.replicas ?? 1)',
  },
  {
    name: 'fewer pods make a Keystone unready',
    caughtBy: ['steps/rollout/rollout.test.ts', 'is one of fewer pods, which all serve: of their number alone'],
    file: 'steps/rollout/rollout.ts',
    find: 'Math.min(formerReplicas, spec?.replicas ?? 1)',
    replace: 'formerReplicas',
  },
  {
    name: 'a Deployment that is being deleted is written to and taken for available',
    caughtBy: [
      'steps/deployment.test.ts',
      'is False while the Deployment is being deleted, which is left as it is; then there is another',
    ],
    file: 'steps/deployment.ts',
    find: 'if (before?.metadata.deletionTimestamp !== undefined) return waiting(deploymentReady.waiting());',
    replace: '',
  },
  {
    name: 'a rollout that hangs stops bootstrap and probes',
    caughtBy: [
      'steps/deployment.test.ts',
      'does not keep the API from being probed, nor a new password from it, while old pods serve',
    ],
    file: 'steps/deployment.ts',
    find: 'if (!isAvailable(live)) return',
    replace: 'if (live.kind !== undefined) return',
  },
  {
    name: 'terminating pods count as trouble',
    caughtBy: ['steps/deployment.test.ts', 'says nothing of pods that are on their way out'],
    file: 'steps/deployment.ts',
    find: 'pods.filter(({ metadata }) => metadata.deletionTimestamp === undefined)',
    replace: 'pods',
  },
  {
    name: 'an invalid policy stops passwords and scaling',
    caughtBy: [
      'steps/policy-validation.test.ts',
      'stops neither a new password nor more replicas; its correction is checked, then deployed',
    ],
    file: 'steps/policy-validation.ts',
    find: 'return validated === undefined\n      ? waiting',
    replace: 'return validated !== null\n      ? waiting',
  },
  {
    name: 'an invalid policy reaches the pods with the next password',
    caughtBy: [
      'steps/policy-validation.test.ts',
      'stops neither a new password nor more replicas; its correction is checked, then deployed',
    ],
    file: 'steps/policy-validation.ts',
    find: 'degraded(statement, { output: validated, status })',
    replace: 'degraded(statement, { output, status })',
  },
  {
    name: 'pods run a valid policy before the Jobs on the database have',
    caughtBy: [
      'steps/policy-validation.test.ts',
      'that is corrected reaches the pods after the Jobs on the database have run with the correction',
    ],
    file: 'steps/policy-validation.ts',
    find: 'if (needs.config.configMap !== output.configMap) return checkpoint(status);',
    replace: '',
  },
  {
    name: 'a policy that was corrected is remembered as invalid',
    caughtBy: [
      'steps/policy-validation.test.ts',
      'stops neither a new password nor more replicas; its correction is checked, then deployed',
    ],
    file: 'steps/policy-validation.ts',
    find: '{ failedPolicyValidation: undefined, validatedConfig: output }',
    replace: '{ validatedConfig: output }',
  },
  {
    name: 'what is wrong with a policy is forgotten while it is checked again',
    caughtBy: ['steps/policy-validation.test.ts', 'is said to be invalid also while it is checked again'],
    file: 'steps/policy-validation.ts',
    find: ' ?? (before?.key === key ? before.error : undefined)',
    replace: '',
  },
  {
    name: 'what was wrong with another policy is said of this one',
    caughtBy: [
      'steps/policy-validation.test.ts',
      'is explained by what the validator said last, about this very policy',
    ],
    file: 'steps/policy-validation.ts',
    find: '(before?.key === key ? before.error : undefined)',
    replace: 'before?.error',
  },
  {
    name: 'the first attempt of the validator explains what is wrong',
    caughtBy: [
      'steps/policy-validation.test.ts',
      'is explained by what the validator said last, about this very policy',
    ],
    file: 'steps/policy-validation.ts',
    find: 'createdOf(b).localeCompare(createdOf(a))',
    replace: 'createdOf(a).localeCompare(createdOf(b))',
  },
  {
    name: 'the last valid configuration is pruned',
    caughtBy: ['steps/policy-validation.test.ts', 'keeps the last valid configuration from being pruned'],
    file: 'steps/prune-config-maps.ts',
    find: 'const used = [configMap, candidate.configMap, validated?.configMap];',
    replace: 'const used = [candidate.configMap];',
  },
  {
    name: 'API pods start without their NetworkPolicy',
    caughtBy: ['steps/network-policy.test.ts', 'is awaited by the API pods when it cannot be written'],
    file: 'steps/deployment.ts',
    find: 'fernetKeys, credentialKeys, networkPolicy, policyValidation',
    replace: 'fernetKeys, credentialKeys, policyValidation',
  },
  {
    name: 'a Gateway without a namespace is admitted from none',
    caughtBy: [
      'objects/network-policy.test.ts',
      "admits the namespace of the gateway, its own by default, and then the operator's, for its health check",
    ],
    file: 'objects/network-policy.ts',
    find: 'spec.gateway.parentRef.namespace || metadata.namespace',
    replace: 'spec.gateway.parentRef.namespace ?? metadata.namespace',
  },
  {
    name: 'which of two configurations of one second goes is left to chance',
    caughtBy: ['steps/prune-config-maps.test.ts', 'of one second are kept by their names, the last in order'],
    file: 'steps/prune-config-maps.ts',
    find: 'return age === 0 ? b.name.localeCompare(a.name) : age;',
    replace: 'return age;',
  },
];
