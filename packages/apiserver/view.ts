// SPDX-License-Identifier: Apache-2.0
import { lazyPayload, type Payload } from './payload.ts';
import type { Resource } from './resource.ts';
import type { EventType, StoredObject } from './storage/stored-object.ts';

/** What a list says of itself. */
interface ListMeta {
  resourceVersion: string;
  continue?: string;
  remainingItemCount?: number;
}

/** The form in which a caller wants objects: whole, as rows of a table, or their metadata only. */
export interface View {
  one(object: StoredObject): Payload;
  many(objects: readonly StoredObject[], metadata: ListMeta): Payload;
  event(type: EventType, object: StoredObject): Payload;
}

/** Objects as they are stored, their bytes handed out without encoding them again. */
export function wholeView({ kind, custom }: Resource): View {
  const head = { kind: `${kind.kind}List`, apiVersion: kind.apiVersion };
  // The items of a built-in list do not repeat the kind; stored bytes begin with it, so it can be cut off.
  const repeated = custom ? 0 : JSON.stringify({ kind: kind.kind, apiVersion: kind.apiVersion }).length;
  return {
    one: (object) => object,
    event: (type, object) => object.event(type),
    many: (objects, metadata) =>
      lazyPayload(
        () => ({ ...head, metadata, items: objects.map((object) => object.value) }),
        () => {
          const parts: Uint8Array[] = [Buffer.from(`${JSON.stringify({ ...head, metadata }).slice(0, -1)},"items":[`)];
          for (const [index, { bytes }] of objects.entries()) {
            if (index > 0) parts.push(comma);
            if (repeated > 0) parts.push(openBrace);
            parts.push(bytes.subarray(repeated));
          }
          parts.push(listEnd);
          return Buffer.concat(parts);
        },
      ),
  };
}

const comma = Buffer.from(',');
const openBrace = Buffer.from('{');
const listEnd = Buffer.from(']}');
