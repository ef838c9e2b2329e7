// SPDX-License-Identifier: Apache-2.0
import type { CustomResourceDefinition } from '@forge/kube/kinds/builtin.ts';
import { nameColumn, type TableColumn } from '../resources/table-column.ts';
import { createdAtColumn } from './created-at-column.ts';

export const definitionColumns: readonly TableColumn<CustomResourceDefinition>[] = [nameColumn, createdAtColumn];
