// SPDX-License-Identifier: Apache-2.0
import type { PolicyRule, RoleRef, Subject } from '@forge/kube/generated/types.ts';
import type { Role, ClusterRole, ClusterRoleBinding, RoleBinding } from '@forge/kube/kinds/builtin.ts';
import { jsonEqual } from '@forge/kube/objects/json.ts';
import { pathSegmentProblem, subdomainProblem } from '../../formats/names.ts';
import type { Rule } from '../inspection.ts';
import { given, each, fields, validation, type ChangeRule } from '../rule.ts';
import { selector } from '../selector-rules.ts';
import { required, requiredText } from '../value-rules.ts';

const rbac = ['rbac.authorization.k8s.io'];

/** A policy rule applies to resources or to non-resource URLs; namespaced roles have no URLs. */
function policyRule(namespaced: boolean): Rule<PolicyRule> {
  return given(({ verbs, nonResourceURLs = [], apiGroups = [], resources = [], resourceNames = [] }, at) => {
    at.inside('verbs', verbs, required('verbs must contain at least one value'));
    if (nonResourceURLs.length > 0) {
      if (namespaced) at.invalid(nonResourceURLs, 'namespaced rules cannot apply to non-resource URLs', urls);
      if (apiGroups.length + resources.length + resourceNames.length > 0) {
        at.invalid(nonResourceURLs, 'rules cannot apply to both regular resources and non-resource URLs', urls);
      }
      return;
    }
    if (apiGroups.length === 0) at.required('resource rules must supply at least one api group', 'apiGroups');
    if (resources.length === 0) at.required('resource rules must supply at least one resource', 'resources');
  });
}

const urls = 'nonResourceURLs';

/** Validates a Role. */
export const validateRole = validation<Role>(fields({ rules: each(policyRule(true)) }));

/** Validates a ClusterRole. */
export const validateClusterRole = validation<ClusterRole>(
  fields({
    rules: each(policyRule(false)),
    aggregationRule: given(({ clusterRoleSelectors: selectors = [] }, at) => {
      if (selectors.length > 0) return at.inside('clusterRoleSelectors', selectors, each(selector));
      at.required('at least one clusterRoleSelector required if aggregationRule is non-nil', 'clusterRoleSelectors');
    }),
  }),
);

function roleRef(...kinds: readonly string[]): Rule<RoleRef> {
  return given(({ apiGroup = '', kind, name }, at) => {
    if (!rbac.includes(apiGroup)) at.unsupported(apiGroup, rbac, 'apiGroup');
    if (!kinds.includes(kind)) at.unsupported(kind, kinds, 'kind');
    at.inside('name', name, requiredText(pathSegmentProblem));
  });
}

/** Validates a subject; a ServiceAccount needs a namespace. */
const subject = (namespaced: boolean): Rule<Subject> =>
  given(({ kind, name, apiGroup = '', namespace = '' }, at) => {
    if (name === '') at.required(undefined, 'name');
    switch (kind) {
      case 'ServiceAccount':
        if (name !== '') at.inside('name', name, requiredText(subdomainProblem));
        if (apiGroup !== '') at.unsupported(apiGroup, [''], 'apiGroup');
        if (namespace === '' && !namespaced) at.required(undefined, 'namespace');
        break;
      case 'User':
      case 'Group':
        if (!rbac.includes(apiGroup)) at.unsupported(apiGroup, rbac, 'apiGroup');
        break;
      default:
        at.unsupported(kind, ['ServiceAccount', 'User', 'Group'], 'kind');
    }
  });

type Binding = RoleBinding | ClusterRoleBinding;

/** roleRef is immutable. */
const immutableRole: ChangeRule<Binding> = ({ roleRef: role }, before, at) => {
  if (jsonEqual(role, before.roleRef)) return;
  // kube-apiserver prints Go field names here.
  const shown = { APIGroup: role.apiGroup, Kind: role.kind, Name: role.name };
  at.invalid(shown, 'cannot change roleRef', 'roleRef');
};

/** Validates a RoleBinding. */
export const validateRoleBinding = validation<RoleBinding>(
  fields({ roleRef: roleRef('Role', 'ClusterRole'), subjects: each(subject(true)) }),
  immutableRole,
);

/** Validates a ClusterRoleBinding. */
export const validateClusterRoleBinding = validation<ClusterRoleBinding>(
  fields({ roleRef: roleRef('ClusterRole'), subjects: each(subject(false)) }),
  immutableRole,
);
