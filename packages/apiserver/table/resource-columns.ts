// SPDX-License-Identifier: Apache-2.0
import type { ResourceClaim, ResourceQuota, ResourceSlice } from '@forge/kube/kinds/builtin.ts';
import { ageColumn, column, nameColumn, type TableColumn } from '../resources/table-column.ts';

export const resourceQuotaColumns: readonly TableColumn<ResourceQuota>[] = [
  nameColumn,
  column('Request', (quota) => usage(quota, (resource) => !isLimit(resource))),
  column('Limit', (quota) => usage(quota, isLimit)),
  ageColumn,
];

export const resourceClaimColumns: readonly TableColumn<ResourceClaim>[] = [
  nameColumn,
  column('State', ({ metadata, status }) => {
    const isDeleted = metadata.deletionTimestamp !== undefined;
    const isAllocated = status?.allocation !== undefined;
    return [
      isDeleted && 'deleted',
      !isDeleted && !isAllocated && 'pending',
      isAllocated && 'allocated',
      isAllocated && (status.reservedFor ?? []).length > 0 && 'reserved',
    ]
      .filter((state) => state !== false)
      .join(',');
  }),
  ageColumn,
];

export const resourceSliceColumns: readonly TableColumn<ResourceSlice>[] = [
  nameColumn,
  column('Node', ({ spec }) => spec.nodeName ?? ''),
  column('Driver', ({ spec }) => spec.driver),
  column('Pool', ({ spec }) => spec.pool.name),
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
