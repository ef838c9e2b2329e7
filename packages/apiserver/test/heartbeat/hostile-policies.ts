// SPDX-License-Identifier: Apache-2.0
import type { KubeObject } from '@forge/kube/objects/object.ts';

/** An object with a spec. */
type Configured = KubeObject & { readonly spec: object };

const group = 'admissionregistration.k8s.io/v1';
const url = 'https://127.0.0.1:1/';

/** A true expression that costs about half of what a single one may. */
export const expensive = [1, 2, 3, 4, 5].reduce(
  (body, depth) => `[0,1,2,3,4,5,6,7,8,9].all(i${depth}, ${body})`,
  "'a' != 'b'",
);

const numbers = `[${Array.from({ length: 300 }, (_, index) => index).join()}]`;
/** Concatenates lists, which is work without cost. */
const laborious = `${numbers}.map(i, variables.list + variables.list + variables.list).size() > 0`;

const times = <T>(count: number, each: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => each(index));

const creation = [{ apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'], operations: ['CREATE'] }];

/** A policy about the creation of a ConfigMap of its name, and its binding. */
function policy(name: string, spec: object): [Configured, Configured] {
  return [
    {
      apiVersion: group,
      kind: 'ValidatingAdmissionPolicy',
      metadata: { name },
      spec: {
        matchConstraints: { resourceRules: creation.map((rule) => ({ ...rule, resourceNames: [name] })) },
        ...spec,
      },
    },
    {
      apiVersion: group,
      kind: 'ValidatingAdmissionPolicyBinding',
      metadata: { name },
      spec: { policyName: name, validationActions: ['Deny'] },
    },
  ];
}

/** A chain of variables, each of which reads the one before. */
const chain = times(400, (index) => ({
  name: `v${index}`,
  expression: index === 0 ? expensive : `[0,1,2,3,4,5,6,7,8,9].all(i, i < 10) && variables.v${index - 1}`,
}));

/** Policies with their bindings, each for the creation of a ConfigMap of its name. */
export const policies: readonly [Configured, Configured][] = [
  policy('validations', { validations: times(19, () => ({ expression: expensive })) }),
  policy('conditions', {
    matchConditions: times(4, (index) => ({ name: `c${index}`, expression: expensive })),
    validations: times(19, () => ({ expression: expensive })),
  }),
  policy('work', {
    variables: [{ name: 'list', expression: numbers }],
    validations: times(20, () => ({ expression: laborious })),
  }),
  policy('variables', {
    variables: times(100, (index) => ({ name: `v${index}`, expression: expensive })),
    validations: [{ expression: times(100, (index) => `variables.v${index}`).join(' && ') }],
  }),
  policy('chain', { variables: chain, validations: [{ expression: 'variables.v399' }] }),
  policy('messages', {
    validations: times(19, () => ({ expression: `!(${expensive})`, messageExpression: `${expensive} ? 'a' : ''` })),
  }),
];

/** Webhooks that are about the creation of a ConfigMap, and are never called since their last condition is false. */
export const webhooks: object = {
  apiVersion: group,
  kind: 'ValidatingWebhookConfiguration',
  metadata: { name: 'conditions' },
  webhooks: times(40, (webhook) => ({
    name: `a${webhook}.example.com`,
    clientConfig: { url },
    rules: creation,
    objectSelector: { matchLabels: { webhooks: 'true' } },
    sideEffects: 'None',
    admissionReviewVersions: ['v1'],
    matchConditions: [
      ...times(4, (index) => ({ name: `c${index}`, expression: expensive })),
      { name: 'last', expression: 'false' },
    ],
  })),
};
