// SPDX-License-Identifier: Apache-2.0
import { ValidatingAdmissionPolicy, ValidatingAdmissionPolicyBinding } from '@forge/kube/kinds/builtin.ts';
import { resourceName } from '@forge/kube/kinds/kind.ts';
import type { Store } from '../../storage/store.ts';
import type { StoredObject } from '../../storage/stored-object.ts';
import { type CompiledPolicy, compilePolicy } from './compile-policy.ts';

/** A policy and its bindings, by name. */
export interface BoundPolicy extends CompiledPolicy {
  readonly bindings: readonly ValidatingAdmissionPolicyBinding[];
}

/** The policies that have bindings, sorted by name. */
export type PolicyIndex = () => readonly BoundPolicy[];

const policies = resourceName(ValidatingAdmissionPolicy);
const bindings = resourceName(ValidatingAdmissionPolicyBinding);

/** Caches the policies until one of them or a binding changes; a policy is compiled once. */
export function policyIndex(store: Store): PolicyIndex {
  const compiled = new WeakMap<StoredObject, CompiledPolicy>();
  let known: readonly BoundPolicy[] | undefined;
  const forget = (): void => {
    known = undefined;
  };
  store.subscribe(policies, forget);
  store.subscribe(bindings, forget);

  function compile(stored: StoredObject): CompiledPolicy {
    const ready = compiled.get(stored) ?? compilePolicy(stored.value as ValidatingAdmissionPolicy);
    compiled.set(stored, ready);
    return ready;
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
      return stored === undefined ? [] : [{ ...compile(stored), bindings: own }];
    });
  }

  return () => (known ??= boundPolicies().toSorted(byName));
}

function byName({ policy: { metadata: a } }: BoundPolicy, { policy: { metadata: b } }: BoundPolicy): number {
  return a.name < b.name ? -1 : 1;
}
