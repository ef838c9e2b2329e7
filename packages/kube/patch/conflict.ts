// SPDX-License-Identifier: Apache-2.0
import { type FieldSet, intersection, pathsOf } from './field-set.ts';
import type { FieldManager } from './managers.ts';

/** A field of another manager that the apply would change. */
export interface Conflict {
  /** The owner in the server's wording: `"kubectl-edit" using apps/v1`. */
  manager: string;
  /** Like `.spec.replicas`. */
  field: string;
}

/** The manager's fields that are among those changed. */
export function conflictsWith(manager: FieldManager, changed: FieldSet): Conflict[] {
  return pathsOf(intersection(manager.fields, changed)).map((field) => ({ manager: describeManager(manager), field }));
}

/** The server's message for conflicts without force. */
export function conflictMessage(conflicts: readonly Conflict[]): string {
  const [first] = conflicts;
  if (first !== undefined && conflicts.length === 1) {
    return `Apply failed with 1 conflict: conflict with ${first.manager}: ${first.field}`;
  }
  const managers = [...new Set(conflicts.map(({ manager }) => manager))].toSorted();
  const lines = managers.flatMap((manager) => [
    `conflicts with ${manager}:`,
    ...conflicts.filter((conflict) => conflict.manager === manager).map(({ field }) => `- ${field}`),
  ]);
  return `Apply failed with ${conflicts.length} conflicts: ${lines.join('\n')}`;
}

function describeManager({ manager, operation, apiVersion, subresource }: FieldManager): string {
  const place = subresource === undefined ? '' : ` with subresource ${JSON.stringify(subresource)}`;
  return JSON.stringify(manager) + place + (operation === 'Update' ? ` using ${apiVersion}` : '');
}
