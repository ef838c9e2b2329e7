// SPDX-License-Identifier: Apache-2.0
import type { ValidatingAdmissionPolicy, ValidatingAdmissionPolicyBinding } from '@forge/kube/kinds/builtin.ts';
import type { Kind } from '@forge/kube/kinds/kind.ts';

/** A named CEL expression; the rules after it use it as `variables.name`. */
interface PolicyVariable {
  readonly name: string;
  readonly expression: string;
}

/** What must hold of a written object. */
interface PolicyRule {
  /** CEL on `object`, `oldObject` (null in a creation), `request` and `variables`. */
  readonly expression: string;
  /** Names the field, and what to do. */
  readonly message: string;
  /** CEL that gives the message. Default: `message`, which also stands in when it fails. */
  readonly messageExpression?: string;
}

/**
 * Rules about a kind that the API server itself checks, so that they hold while the operator is down and cost no call. It is
 * cluster-scoped, so that only an operator that was installed for the whole cluster has it: what must always hold belongs
 * into the kind's own schema and CEL.
 */
export interface AdmissionPolicy {
  /** The name of its objects: `openbao-operator-validate-openbaocluster`. */
  readonly name: string;
  readonly kind: Kind;
  readonly variables?: readonly PolicyVariable[];
  readonly rules: readonly [PolicyRule, ...PolicyRule[]];
}

/** The objects of a policy: it refuses a creation, or a change of the spec, that breaks one of its rules. */
export function admissionPolicyObjects({
  name,
  kind,
  variables = [],
  rules,
}: AdmissionPolicy): [ValidatingAdmissionPolicy, ValidatingAdmissionPolicyBinding] {
  const apiVersion = 'admissionregistration.k8s.io/v1';
  const rule = {
    apiGroups: [kind.group],
    apiVersions: [kind.version],
    resources: [kind.plural],
    operations: ['CREATE', 'UPDATE'],
  };
  const policy: ValidatingAdmissionPolicy = {
    apiVersion,
    kind: 'ValidatingAdmissionPolicy',
    metadata: { name },
    spec: {
      failurePolicy: 'Fail',
      matchConstraints: { resourceRules: [rule] },
      // Labels and finalizers of an object that is older than a rule can still change: it must remain deletable.
      matchConditions: [{ name: 'spec-changes', expression: 'oldObject == null || object.spec != oldObject.spec' }],
      ...(variables.length > 0 && { variables: [...variables] }),
      validations: [...rules],
    },
  };
  const spec = { policyName: name, validationActions: ['Deny'] };
  return [policy, { apiVersion, kind: 'ValidatingAdmissionPolicyBinding', metadata: { name }, spec }];
}
