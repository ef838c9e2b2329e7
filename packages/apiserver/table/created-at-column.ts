// SPDX-License-Identifier: Apache-2.0
import { column, type TableColumn } from '../resources/table-column.ts';

export const createdAtColumn: TableColumn = column('Created At', ({ metadata }) => metadata.creationTimestamp, {
  type: 'date',
});
