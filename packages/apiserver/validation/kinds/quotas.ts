// SPDX-License-Identifier: Apache-2.0
import type { ResourceQuotaSpec } from '@forge/kube/generated/types.ts';
import type { ResourceQuota } from '@forge/kube/kinds/builtin.ts';
import { qualifiedNameProblem } from '../../formats/names.ts';
import type { Rule, Inspection } from '../inspection.ts';
import { amountOf } from '../pods/resource-rules.ts';
import { given, all, fields, validation } from '../rule.ts';

type Amounts = Readonly<Record<string, string | number>>;

const counted = [
  'configmaps',
  'persistentvolumeclaims',
  'pods',
  'replicationcontrollers',
  'resourcequotas',
  'secrets',
  'services',
  'services.loadbalancers',
  'services.nodeports',
];

const measured = ['cpu', 'ephemeral-storage', 'memory'];

const compute = [
  ...measured,
  ...measured.map((name) => `limits.${name}`),
  ...measured.map((name) => `requests.${name}`),
];

const whole = 1_000_000_000n;

function isStandard(name: string): boolean {
  return (
    counted.includes(name) ||
    compute.includes(name) ||
    name === 'requests.storage' ||
    /^(?:requests\.)?hugepages-/.test(name)
  );
}

const amounts: Rule<Amounts> = given((resources, at) => {
  for (const [name, quantity] of Object.entries(resources)) {
    at.inside(`[${name}]`, quantity, () => {
      const problem = qualifiedNameProblem(name);
      if (problem !== undefined) at.invalid(name, problem);
      if (!name.includes('/') && !isStandard(name)) {
        if (problem === undefined) at.invalid(name, 'must be a standard resource type or fully qualified');
        at.invalid(name, 'must be a standard resource for quota');
      }
      if (amountOf(quantity) < 0n) at.invalid(quantity, 'must be greater than or equal to 0');
      if (counted.includes(name) && amountOf(quantity) % whole !== 0n) at.invalid(quantity, 'must be an integer');
    });
  }
});

const scopesOfPods = ['Terminating', 'NotTerminating', 'NotBestEffort', 'PriorityClass', 'CrossNamespacePodAffinity'];

const scopes = [...scopesOfPods, 'BestEffort', 'VolumeAttributesClass'];

const exclusive = [
  ['BestEffort', 'NotBestEffort'],
  ['Terminating', 'NotTerminating'],
] as const;

const existsOnly =
  "must be 'Exists' when scope is any of ResourceQuotaScopeTerminating, ResourceQuotaScopeNotTerminating, ResourceQuotaScopeBestEffort, ResourceQuotaScopeNotBestEffort or ResourceQuotaScopeCrossNamespacePodAffinity";

/** Whether the scope applies to this resource. */
function applies(scope: string, resource: string): boolean {
  if (!isStandard(resource)) return true;
  if (scope === 'BestEffort') return resource === 'pods';
  if (scope === 'VolumeAttributesClass')
    return resource === 'persistentvolumeclaims' || resource === 'requests.storage';
  return !scopesOfPods.includes(scope) || resource === 'pods' || compute.includes(resource);
}

function checkScopes(named: readonly string[], hard: Amounts, at: Inspection, shown: unknown): void {
  const resources = Object.keys(hard);
  // The same for each occurrence of a scope: a list can be long.
  const inapplicable = new Map(
    scopes.map((scope) => [scope, resources.filter((resource) => !applies(scope, resource)).length]),
  );
  for (const scope of named) {
    for (let count = inapplicable.get(scope) ?? 0; count > 0 && !at.isFull; count -= 1) {
      at.invalid(shown, 'unsupported scope applied to resource');
    }
  }
  for (const [one, other] of exclusive) {
    if (named.includes(one) && named.includes(other)) at.invalid(shown, 'conflicting scopes');
  }
}

const scoped: Rule<ResourceQuotaSpec> = given(({ hard = {}, scopes: named = [], scopeSelector }, at) => {
  at.inside('scopes', named, () => {
    for (const scope of named) if (!scopes.includes(scope)) at.invalid(named, 'unsupported scope');
    checkScopes(named, hard, at, named);
  });
  if (scopeSelector === undefined) return;
  const { matchExpressions = [] } = scopeSelector;
  at.inside('scopeSelector', scopeSelector, () => {
    at.inside('matchExpressions', matchExpressions, () => {
      for (const { scopeName, operator, values = [] } of matchExpressions) {
        if (!scopes.includes(scopeName)) at.invalid(scopeName, 'unsupported scope', 'scopeName');
        if (!['PriorityClass', 'VolumeAttributesClass'].includes(scopeName) && operator !== 'Exists') {
          at.invalid(operator, existsOnly, 'operator');
        }
        if (!['In', 'NotIn', 'Exists', 'DoesNotExist'].includes(operator)) {
          at.invalid(operator, 'not a valid selector operator', 'operator');
        } else if (operator.endsWith('In') && values.length === 0) {
          at.required("must be at least one value when `operator` is 'In' or 'NotIn' for scope selector", 'values');
        } else if (!operator.endsWith('In') && values.length > 0) {
          at.invalid(
            values,
            "must be no value when `operator` is 'Exist' or 'DoesNotExist' for scope selector",
            'values',
          );
        }
      }
      checkScopes(
        matchExpressions.map(({ scopeName }) => scopeName),
        hard,
        at,
        scopeSelector,
      );
    });
  });
});

function sorted(list: readonly string[] = []): string {
  return list.toSorted().join();
}

/** Validates a ResourceQuota; its scopes are immutable. */
export const validateResourceQuota = validation<ResourceQuota>(
  fields({
    spec: all<ResourceQuotaSpec>(fields({ hard: amounts }), scoped),
    status: fields({ hard: amounts, used: amounts }),
  }),
  ({ spec }, before, at) => {
    if (sorted(spec?.scopes) !== sorted(before.spec?.scopes)) at.immutable(spec?.scopes, 'spec.scopes');
  },
);
