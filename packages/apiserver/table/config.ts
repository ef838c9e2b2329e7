// SPDX-License-Identifier: Apache-2.0
import type { Secret, ConfigMap } from '@forge/kube/kinds/builtin.ts';
import { ageColumn, column, nameColumn, type TableColumn } from '../resources/table-column.ts';

export const secretColumns: readonly TableColumn<Secret>[] = [
  nameColumn,
  column('Type', ({ type }) => type),
  column('Data', ({ data = {} }) => Object.keys(data).length),
  ageColumn,
];

export const configMapColumns: readonly TableColumn<ConfigMap>[] = [
  nameColumn,
  column('Data', ({ data = {}, binaryData = {} }) => Object.keys(data).length + Object.keys(binaryData).length),
  ageColumn,
];
