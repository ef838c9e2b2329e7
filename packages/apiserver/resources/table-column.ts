// SPDX-License-Identifier: Apache-2.0
import type { KubeObject } from '@forge/kube/objects/object.ts';

/** A column of a server-side table. */
export interface TableColumn<T extends KubeObject = KubeObject> {
  readonly name: string;
  readonly type: string;
  readonly format: string;
  readonly description: string;
  /** Columns above 0 are shown with `-o wide` only. */
  readonly priority: number;
  /** Whether kube-apiserver sends cells of the column without a column definition. */
  readonly unlisted?: boolean;
  /** The cell of one object; `now` in milliseconds since the epoch, for ages. */
  cell(object: T, now: number): unknown;
}

type Cell<T extends KubeObject> = TableColumn<T>['cell'];

/** A string column. */
export function column<T extends KubeObject>(
  name: string,
  cell: Cell<T>,
  options: Partial<TableColumn<T>> = {},
): TableColumn<T> {
  return { name, type: 'string', format: '', description: '', priority: 0, ...options, cell };
}

/** An integer column. */
export function countColumn<T extends KubeObject>(
  name: string,
  cell: (object: T) => number | undefined,
): TableColumn<T> {
  return column(name, (object: T) => cell(object) ?? 0, { type: 'integer' });
}

/** A column that is shown with `-o wide` only. */
export function wideColumn<T extends KubeObject>(name: string, cell: Cell<T>): TableColumn<T> {
  return column(name, cell, { priority: 1 });
}

/** The first column of every table. */
export const nameColumn: TableColumn = column('Name', ({ metadata }) => metadata.name, { format: 'name' });

/** How long ago the object was created. */
export const ageColumn: TableColumn = column('Age', ({ metadata }, now) => age(metadata.creationTimestamp, now));

/** The time since a timestamp as kubectl shows it: `5m3s`, `3h`, `12d`. */
export function age(timestamp: string | undefined | null, now: number): string {
  return timestamp === undefined || timestamp === null ? '<unknown>' : humanDuration(now - Date.parse(timestamp));
}

/** A duration with at most two units, fewer the longer it is. */
export function humanDuration(milliseconds: number): string {
  const seconds = Math.floor(milliseconds / 1000);
  if (seconds < -1) return '<invalid>';
  if (seconds < 120) return `${Math.max(0, seconds)}s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 10) return withRest(minutes, 'm', seconds % 60, 's');
  if (minutes < 180) return `${minutes}m`;
  const hours = Math.floor(minutes / 60);
  if (hours < 8) return withRest(hours, 'h', minutes % 60, 'm');
  if (hours < 48) return `${hours}h`;
  const days = Math.floor(hours / 24);
  if (hours < 192) return withRest(days, 'd', hours % 24, 'h');
  if (days < 730) return `${days}d`;
  const years = Math.floor(days / 365);
  return days < 8 * 365 ? withRest(years, 'y', days % 365, 'd') : `${years}y`;
}

function withRest(count: number, unit: string, rest: number, restUnit: string): string {
  return rest === 0 ? `${count}${unit}` : `${count}${unit}${rest}${restUnit}`;
}
