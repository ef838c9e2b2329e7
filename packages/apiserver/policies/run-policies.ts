// SPDX-License-Identifier: Apache-2.0
import { ApiError, type StatusReason } from '@forge/kube/errors/api-error.ts';
import type { ValidatingAdmissionPolicyBinding } from '@forge/kube/kinds/builtin.ts';
import type { KubeObject } from '@forge/kube/objects/object.ts';
import { jsonValue } from '../cel/values/json-value.ts';
import type { Value } from '../cel/values/value.ts';
import type { AdmissionAttributes } from '../matching/admission-attributes.ts';
import { type AdmissionValues, admissionValues } from '../matching/admission-values.ts';
import { inTurns, Turn } from '../matching/turn.ts';
import { forbidden } from '../messages/status-errors.ts';
import type { ServerContext } from '../request/server-context.ts';
import type { Resource } from '../resources/resource.ts';
import { collectParams, ConfigurationError, paramResource } from './collect-params.ts';
import type { BoundPolicy } from './compiled/policy-index.ts';
import { type Denial, evaluatePolicy } from './evaluate-policy.ts';
import { isExempt, matchResources } from './match-policy.ts';
import { namespaceObject } from './namespace-object.ts';

/**
 * Evaluates all policies that match a request; throws the first denial in the order of their names. Synchronous unless
 * the policies are expensive.
 */
export function runPolicies(attributes: AdmissionAttributes, server: ServerContext): Promise<void> | undefined {
  if (isExempt(attributes)) return undefined;
  let run: PolicyRun | undefined;
  for (const bound of server.policies()) {
    const version = matchResources(bound.policy.spec?.matchConstraints ?? {}, attributes, server.store);
    if (version !== undefined) (run ??= new PolicyRun(attributes, server)).add(bound, version);
  }
  if (run === undefined) return undefined;
  return inTurns(run.evaluate());
}

/** The policies of one request. */
class PolicyRun {
  readonly #attributes: AdmissionAttributes;
  readonly #server: ServerContext;
  readonly #matching: { readonly bound: BoundPolicy; readonly version: string }[] = [];
  readonly #values = new Map<string, AdmissionValues>();
  #namespace: Value | undefined;
  readonly #turn = new Turn();
  /** The first denial. */
  #denied: ApiError | undefined;

  constructor(attributes: AdmissionAttributes, server: ServerContext) {
    this.#attributes = attributes;
    this.#server = server;
  }

  /** Adds a policy that matches the request, and the version of the resource that it matches. */
  add(bound: BoundPolicy, version: string): void {
    this.#matching.push({ bound, version });
  }

  /** Evaluates the added policies; throws the first denial, and yields when others should be served. */
  *evaluate(): Generator<void, undefined> {
    for (const { bound, version } of this.#matching) yield* this.#check(bound, version);
    if (this.#denied !== undefined) throw this.#denied;
    return undefined;
  }

  /** Evaluates a policy with each of its bindings. */
  *#check(bound: BoundPolicy, version: string): Generator<void> {
    const { paramKind } = bound.policy.spec ?? {};
    const { store } = this.#server;
    const paramsIn = paramKind && this.#attempt(bound, undefined, () => paramResource(paramKind, this.#server));
    if (paramKind !== undefined && paramsIn === undefined) return;
    for (const binding of bound.bindings) {
      const { matchResources: narrowed } = binding.spec;
      if (narrowed !== undefined && matchResources(narrowed, this.#attributes, store) === undefined) continue;
      for (const params of this.#paramsOf(bound, binding, paramsIn)) {
        for (const denial of yield* this.#denials(bound, version, params)) this.#act(denial, bound, binding);
      }
    }
  }

  *#denials(bound: BoundPolicy, version: string, params: KubeObject | null): Generator<void, readonly Denial[]> {
    const known = this.#values.get(version) ?? admissionValues(this.#attributes, version, this.#server.authorizer);
    this.#values.set(version, known);
    this.#namespace ??= namespaceObject(this.#attributes, this.#server.store);
    const input = { params: jsonValue(params), namespaceObject: this.#namespace, turn: this.#turn };
    return yield* evaluatePolicy(yield* this.#turn.compile(bound.expressions), known, input);
  }

  /** The params of a binding: null when policy or binding have none. */
  #paramsOf(
    bound: BoundPolicy,
    binding: ValidatingAdmissionPolicyBinding,
    resource: Resource | undefined,
  ): readonly (KubeObject | null)[] {
    const { paramRef } = binding.spec;
    if (resource === undefined || paramRef === undefined) return [null];
    const collect = () => collectParams(resource, paramRef, this.#attributes.namespace, this.#server);
    return this.#attempt(bound, binding, collect) ?? [];
  }

  /** A policy or binding that cannot be evaluated denies the request, unless the policy ignores errors. */
  #attempt<T>(bound: BoundPolicy, binding: KubeObject | undefined, configure: () => T): T | undefined {
    try {
      return configure();
    } catch (error) {
      if (!(error instanceof ConfigurationError)) throw error;
      const message = `failed to configure ${binding === undefined ? 'policy' : 'binding'}: ${error.message}`;
      if (bound.policy.spec?.failurePolicy !== 'Ignore') this.#deny({ message }, bound, binding);
      return undefined;
    }
  }

  #act(denial: Denial, bound: BoundPolicy, binding: ValidatingAdmissionPolicyBinding): void {
    const { validationActions } = binding.spec;
    if (denial.isFatal === true || validationActions.includes('Deny')) this.#deny(denial, bound, binding);
    if (denial.isFatal !== true && validationActions.includes('Warn')) {
      const which = `ValidatingAdmissionPolicy '${bound.policy.metadata.name}' with binding '${binding.metadata.name}'`;
      this.#attributes.warn(`Validation failed for ${which}: ${denial.message}`);
    }
  }

  #deny({ message: why, reason = 'Invalid' }: Denial, bound: BoundPolicy, binding?: KubeObject): void {
    if (this.#denied !== undefined) return;
    const { resource, name, object } = this.#attributes;
    const { metadata = { name: '' } } = (object ?? {}) as Partial<KubeObject>;
    const shown = [name, metadata.name, metadata.generateName].find(Boolean) ?? 'Unknown';
    const by = binding === undefined ? '' : ` with binding '${binding.metadata.name}'`;
    const message = `ValidatingAdmissionPolicy '${bound.policy.metadata.name}'${by} denied request: ${why}`;
    const { status } = forbidden(resource.kind, shown, message, [{ message }]);
    this.#denied = new ApiError({ ...status, reason: reason as StatusReason, code: codes[reason] ?? 422 });
  }
}

/** Status codes of the reasons that a validation can give. */
const codes: Readonly<Record<string, number>> = { Unauthorized: 401, Forbidden: 403, RequestEntityTooLarge: 413 };
