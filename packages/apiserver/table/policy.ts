// SPDX-License-Identifier: Apache-2.0
import type { PriorityClass, NetworkPolicy, PodDisruptionBudget } from '@forge/kube/kinds/builtin.ts';
import { formatLabelSelector } from '@forge/kube/selectors/selector.ts';
import { ageColumn, column, countColumn, nameColumn, type TableColumn } from '../resources/table-column.ts';
import { orNone } from './services.ts';

export const priorityClassColumns: readonly TableColumn<PriorityClass>[] = [
  nameColumn,
  countColumn('Value', ({ value }) => value),
  column('Global-Default', ({ globalDefault = false }) => globalDefault, { type: 'boolean' }),
  ageColumn,
  column('PreemptionPolicy', ({ preemptionPolicy }) => preemptionPolicy),
];

export const networkPolicyColumns: readonly TableColumn<NetworkPolicy>[] = [
  nameColumn,
  column('Pod-Selector', ({ spec }) => orNone(formatLabelSelector(spec?.podSelector ?? {}))),
  ageColumn,
];

export const disruptionBudgetColumns: readonly TableColumn<PodDisruptionBudget>[] = [
  nameColumn,
  column('Min Available', ({ spec }) => String(spec?.minAvailable ?? 'N/A')),
  column('Max Unavailable', ({ spec }) => String(spec?.maxUnavailable ?? 'N/A')),
  countColumn('Allowed Disruptions', ({ status }) => status?.disruptionsAllowed),
  ageColumn,
];
