// SPDX-License-Identifier: Apache-2.0
import type { LabelSelector, ParamRef } from '@forge/kube/generated/types.ts';
import type {
  MutatingWebhookConfiguration,
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
} from '@forge/kube/kinds/builtin.ts';
import { ageColumn, column, countColumn, nameColumn, type TableColumn } from '../resources/table-column.ts';

export const webhookConfigurationColumns: readonly TableColumn<MutatingWebhookConfiguration>[] = [
  nameColumn,
  countColumn('Webhooks', ({ webhooks = [] }) => webhooks.length),
  ageColumn,
];

export const admissionPolicyColumns: readonly TableColumn<ValidatingAdmissionPolicy>[] = [
  nameColumn,
  countColumn('Validations', ({ spec }) => spec?.validations?.length),
  column('ParamKind', ({ spec }) => {
    const { apiVersion = '', kind = '' } = spec?.paramKind ?? {};
    return spec?.paramKind === undefined ? '<unset>' : `${apiVersion}/${kind}`;
  }),
  ageColumn,
];

export const policyBindingColumns: readonly TableColumn<ValidatingAdmissionPolicyBinding>[] = [
  nameColumn,
  column('PolicyName', ({ spec }) => spec.policyName),
  column('ParamRef', ({ spec }) => paramsText(spec.paramRef)),
  ageColumn,
];

function paramsText({ name = '', namespace = '*', selector }: ParamRef = {}): string {
  if (name !== '') return `${namespace}/${name}`;
  return selector === undefined ? '<unset>' : selectorText(selector);
}

/** A selector as Go prints it. */
function selectorText({ matchLabels = {}, matchExpressions = [] }: LabelSelector): string {
  const labels = Object.entries(matchLabels)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, value]) => `${key}: ${value},`);
  const expressions = matchExpressions.map(
    ({ key, operator, values = [] }) =>
      `LabelSelectorRequirement{Key:${key},Operator:${operator},Values:[${values.join(' ')}],},`,
  );
  const requirements = `[]LabelSelectorRequirement{${expressions.join('')}}`;
  return `&LabelSelector{MatchLabels:map[string]string{${labels.join('')}},MatchExpressions:${requirements},}`;
}
