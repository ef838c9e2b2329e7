// SPDX-License-Identifier: Apache-2.0
import type { ResourceClaim, ResourceSlice } from '@forge/kube/kinds/builtin.ts';
import { ageColumn, column, nameColumn, type TableColumn } from '../resources/table-column.ts';

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
