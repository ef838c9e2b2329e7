// SPDX-License-Identifier: Apache-2.0
import type { PolicyRule, RoleRef, Subject } from '@forge/kube/generated/types.ts';
import type { ClusterRole, ClusterRoleBinding, Role, RoleBinding } from '@forge/kube/kinds/builtin.ts';
import { jsonEqual } from '@forge/kube/objects/json.ts';
import { pathSegmentProblem, subdomainProblem } from '../../formats/names.ts';
import type { Rule } from '../inspection.ts';
import { each, fields, given, validation, type ChangeRule } from '../rule.ts';
import { selector } from '../selector-rules.ts';
import { required, requiredText } from '../value-rules.ts';

const rbac = ['rbac.authorization.k8s.io'];

/** What may be done: to resources of a group, or to paths outside the API, which no namespace has. */
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

/** A role's rules say to what they apply. */
export const validateRole = validation<Role>(fields({ rules: each(policyRule(true)) }));

/** A cluster role's rules say to what they apply. */
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

/** Who is granted a role; an account must say where it lives unless the binding does. */
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

/** A binding keeps its role: to change it would silently change what was granted. */
const keptRole: ChangeRule<Binding> = ({ roleRef: role }, before, at) => {
  if (jsonEqual(role, before.roleRef)) return;
  // The words of a real server have the names of its own language.
  const shown = { APIGroup: role.apiGroup, Kind: role.kind, Name: role.name };
  at.invalid(shown, 'cannot change roleRef', 'roleRef');
};

/** A binding grants a role of its namespace, or a cluster role in its namespace. */
export const validateRoleBinding = validation<RoleBinding>(
  fields({ roleRef: roleRef('Role', 'ClusterRole'), subjects: each(subject(true)) }),
  keptRole,
);

/** A cluster role binding grants a cluster role. */
export const validateClusterRoleBinding = validation<ClusterRoleBinding>(
  fields({ roleRef: roleRef('ClusterRole'), subjects: each(subject(false)) }),
  keptRole,
);
