// SPDX-License-Identifier: Apache-2.0
import type { Clock } from '@forge/runtime/environment/clock.ts';
import type { Payload } from '../messages/payload.ts';
import { badRequest } from '../messages/status-errors.ts';
import type { Resource } from '../resources/resource.ts';
import type { TableColumn } from '../resources/table-column.ts';
import type { EncodedEvents } from '../storage/encoded-events.ts';
import { eventPayload, type StoredObject } from '../storage/stored-object.ts';
import { listPayload } from './list-payload.ts';
import { partialMetadata } from './partial-metadata.ts';
import type { View } from './view.ts';

/** What a row contains besides its cells. */
type IncludeObject = 'None' | 'Metadata' | 'Object';

/** What Tables are made with. */
interface TableContext {
  readonly clock: Clock;
  readonly events: EncodedEvents;
}

/** Objects as rows of a Table, as requested by `kubectl get`. */
export function tableView(
  { columns }: Resource,
  { clock, events }: TableContext,
  query: Readonly<Record<string, string>>,
): View {
  const include = includeObjectOf(query);
  let definitionsSent = false;

  function table(objects: Iterable<StoredObject>, metadata: object, definitions: boolean): Payload {
    const now = clock.now();
    const cells = ({ value }: StoredObject): unknown[] => columns.map((column) => column.cell(value, now));
    const head = {
      kind: 'Table',
      apiVersion: 'meta.k8s.io/v1',
      metadata,
      columnDefinitions: definitions ? columns.filter(({ unlisted }) => unlisted !== true).map(definitionOf) : null,
    };
    return listPayload(head, objects, {
      field: 'rows',
      value: (object) => ({ cells: cells(object), object: shown(object) }),
      bytes(object) {
        const start = `{"cells":${JSON.stringify(cells(object))},"object":`;
        if (include !== 'Object') return Buffer.from(`${start}${JSON.stringify(shown(object))}}`);
        return Buffer.concat([Buffer.from(start), object.bytes, rowEnd]);
      },
    });
  }

  function shown({ value }: StoredObject): object | null {
    return include === 'None' ? null : include === 'Object' ? value : partialMetadata(value);
  }

  return {
    one: (object) => table([object], { resourceVersion: String(object.revision) }, true),
    many: (objects, metadata) => table(objects, metadata, true),
    event(type, object) {
      const metadata = { resourceVersion: String(object.revision) };
      // Only the first event of a watch has column definitions.
      const isFirst = !definitionsSent;
      definitionsSent = true;
      const make = (): Payload => eventPayload(type, table(type === 'BOOKMARK' ? [] : [object], metadata, isFirst));
      // Cells may show how old an object is.
      const form = `${type} Table ${include} ${isFirst} ${Math.floor(clock.now() / 1000)}`;
      return events.of(object, form, make, columns);
    },
  };
}

const rowEnd = Buffer.from('}');

function definitionOf({ name, type, format, description, priority }: TableColumn): object {
  return { name, type, format, description, priority };
}

function includeObjectOf(query: Readonly<Record<string, string>>): IncludeObject {
  const include = query['includeObject'] ?? 'Metadata';
  if (include === 'None' || include === 'Metadata' || include === 'Object') return include;
  throw badRequest(`unrecognized includeObject value: "${include}"`);
}
