// SPDX-License-Identifier: Apache-2.0
import type { Clock } from '@forge/runtime/time/clock.ts';
import { jsonPayload } from '../request/payload.ts';
import { badRequest } from '../request/status-errors.ts';
import type { Resource } from '../resources/resource.ts';
import type { TableColumn } from '../resources/table-column.ts';
import { eventPayload, type StoredObject } from '../storage/stored-object.ts';
import { partialMetadata } from './partial-metadata.ts';
import type { View } from './view.ts';

/** What a row contains besides its cells. */
type IncludeObject = 'None' | 'Metadata' | 'Object';

/** Objects as rows of a Table, as requested by `kubectl get`. */
export function tableView({ columns }: Resource, clock: Clock, query: Readonly<Record<string, string>>): View {
  const include = includeObjectOf(query);
  let definitionsSent = false;

  function table(objects: readonly StoredObject[], metadata: object, definitions: boolean): object {
    const now = clock.now();
    return {
      kind: 'Table',
      apiVersion: 'meta.k8s.io/v1',
      metadata,
      columnDefinitions: definitions ? columns.filter(({ unlisted }) => unlisted !== true).map(definitionOf) : null,
      rows: objects.map(({ value }) => ({
        cells: columns.map((column) => column.cell(value, now)),
        object: include === 'None' ? null : include === 'Object' ? value : partialMetadata(value),
      })),
    };
  }

  return {
    one: (object) => jsonPayload(table([object], { resourceVersion: String(object.revision) }, true)),
    many: (objects, metadata) => jsonPayload(table(objects, metadata, true)),
    event(type, object) {
      // Only the first event of a watch has column definitions.
      const rows = type === 'BOOKMARK' ? [] : [object];
      const payload = jsonPayload(table(rows, { resourceVersion: String(object.revision) }, !definitionsSent));
      definitionsSent = true;
      return eventPayload(type, payload);
    },
  };
}

function definitionOf({ name, type, format, description, priority }: TableColumn): object {
  return { name, type, format, description, priority };
}

function includeObjectOf(query: Readonly<Record<string, string>>): IncludeObject {
  const include = query['includeObject'] ?? 'Metadata';
  if (include === 'None' || include === 'Metadata' || include === 'Object') return include;
  throw badRequest(`unrecognized includeObject value: "${include}"`);
}
