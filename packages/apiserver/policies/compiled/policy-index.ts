// SPDX-License-Identifier: Apache-2.0
import { ValidatingAdmissionPolicy, ValidatingAdmissionPolicyBinding } from '@forge/kube/kinds/builtin.ts';
import { resourceName } from '@forge/kube/kinds/kind.ts';
import { LazyExpressions } from '../../cel/rules/lazy-expressions.ts';
import type { Store } from '../../storage/store.ts';
import type { StoredObject } from '../../storage/stored-object.ts';
import { expressionsOfPolicy } from '../../validation/admission/expression-limits.ts';
import { type CompiledPolicy, compilePolicy } from './compile-policy.ts';

/** A policy and its bindings, by name. */
export interface BoundPolicy {
  readonly policy: ValidatingAdmissionPolicy;
  readonly expressions: LazyExpressions<CompiledPolicy>;
  readonly bindings: readonly ValidatingAdmissionPolicyBinding[];
}

/** The policies that have bindings, sorted by name. */
export type PolicyIndex = () => readonly BoundPolicy[];

const policies = resourceName(ValidatingAdmissionPolicy);
const bindings = resourceName(ValidatingAdmissionPolicyBinding);

/** Caches the policies until one of them or a binding changes; a policy is compiled once. */
export function policyIndex(store: Store): PolicyIndex {
  const lazy = new WeakMap<StoredObject, LazyExpressions<CompiledPolicy>>();
  let known: readonly BoundPolicy[] | undefined;
  const forget = (): void => {
    known = undefined;
  };
  store.subscribe(policies, forget);
  store.subscribe(bindings, forget);

  function boundPolicy(stored: StoredObject, own: readonly ValidatingAdmissionPolicyBinding[]): BoundPolicy {
    const policy = stored.value as ValidatingAdmissionPolicy;
    const expressions =
      lazy.get(stored) ?? new LazyExpressions(expressionsOfPolicy(policy.spec), () => compilePolicy(policy));
    lazy.set(stored, expressions);
    return { policy, expressions, bindings: own };
  }

  function boundPolicies(): BoundPolicy[] {
    const { objects } = store.current;
    const all = Array.from(
      objects.withPrefix(`${bindings}/`),
      ({ value }) => value as ValidatingAdmissionPolicyBinding,
    );
    const byPolicy = Map.groupBy(all, ({ spec }) => spec.policyName);
    return [...byPolicy].flatMap(([name, own]) => {
      const stored = objects.get(`${policies}//${name}`);
      return stored === undefined ? [] : [boundPolicy(stored, own)];
    });
  }

  return () => (known ??= boundPolicies().toSorted(byName));
}

function byName({ policy: { metadata: a } }: BoundPolicy, { policy: { metadata: b } }: BoundPolicy): number {
  return a.name < b.name ? -1 : 1;
}
