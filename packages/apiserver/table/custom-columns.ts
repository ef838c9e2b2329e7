// SPDX-License-Identifier: Apache-2.0
import type { PrinterColumn } from '@forge/kube/kinds/kind.ts';
import { jsonPath } from '../formats/json-path.ts';
import { age, ageColumn, column, nameColumn, type TableColumn } from '../resources/table-column.ts';

/** The columns of a custom resource: its name, then those its definition names, or its age when it names none. */
export function customColumns(printerColumns: readonly PrinterColumn[]): readonly TableColumn[] {
  return [nameColumn, ...(printerColumns.length === 0 ? [dateColumn] : printerColumns.map(customColumn))];
}

/** A real server calls this one a date, although it shows an age. */
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
  // Ages are told, not times, so the column is one of text.
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
