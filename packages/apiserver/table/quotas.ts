// SPDX-License-Identifier: Apache-2.0
import type { ResourceQuota } from '@forge/kube/kinds/builtin.ts';
import { ageColumn, column, nameColumn, type TableColumn } from '../resources/table-column.ts';

export const resourceQuotaColumns: readonly TableColumn<ResourceQuota>[] = [
  nameColumn,
  column('Request', (quota) => usage(quota, (resource) => !isLimit(resource))),
  column('Limit', (quota) => usage(quota, isLimit)),
  ageColumn,
];

function isLimit(resource: string): boolean {
  return resource.startsWith('limits.');
}

/** Usage of a quota: `pods: 1/2, services: 0/1`. */
function usage({ status }: ResourceQuota, isShown: (resource: string) => boolean): string {
  return Object.entries(status?.hard ?? {})
    .filter(([resource]) => isShown(resource))
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([resource, hard]) => `${resource}: ${status?.used?.[resource] ?? '0'}/${hard}`)
    .join(', ');
}
