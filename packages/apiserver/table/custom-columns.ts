// SPDX-License-Identifier: Apache-2.0
import type { PrinterColumn } from '@forge/kube/kinds/kind.ts';
import { jsonPath } from '../formats/json-path.ts';
import { age, ageColumn, column, nameColumn, type TableColumn } from '../resources/table-column.ts';

/** The columns of a custom resource: name, then those of its definition, or age if it has none. */
export function customColumns(printerColumns: readonly PrinterColumn[]): readonly TableColumn[] {
  return [nameColumn, ...(printerColumns.length === 0 ? [dateColumn] : printerColumns.map(customColumn))];
}

/** kube-apiserver declares this column as a date, although it shows an age. */
const dateColumn: TableColumn = { ...ageColumn, type: 'date' };

function customColumn({
  name,
  type,
  jsonPath: path,
  description = '',
  format = '',
  priority = 0,
}: PrinterColumn): TableColumn {
  const find = jsonPath(path);
  // Dates are shown as ages, so the column is a string.
  const shown = type === 'date' ? 'string' : type;
  return column(
    name,
    (object, now) => {
      const found = find(object);
      const [value] = found;
      if (value === undefined || value === null) return type === 'date' ? '<unknown>' : null;
      if (type === 'date') return age(text(value), now);
      if (type === 'string') return found.map(text).join(' ');
      return value;
    },
    { type: shown, description, format, priority },
  );
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
