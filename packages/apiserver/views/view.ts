// SPDX-License-Identifier: Apache-2.0
import type { Payload } from '../messages/payload.ts';
import { unconverted, type Resource } from '../resources/resource.ts';
import type { EncodedEvents } from '../storage/encoded-events.ts';
import { eventPayload, type EventType, type StoredObject } from '../storage/stored-object.ts';
import { listPayload, mapped, type ListMeta } from './list-payload.ts';

/** The requested representation of objects: whole, Table, or metadata only. */
export interface View {
  one(object: StoredObject): Payload;
  many(objects: Iterable<StoredObject>, metadata: ListMeta): Payload;
  event(type: EventType, object: StoredObject): Payload;
}

/** Whole objects; stored bytes are reused. */
export function objectView({ kind, custom }: Resource, events: EncodedEvents): View {
  return {
    one: (object) => object,
    event: (type, object) => events.of(object, type, () => eventPayload(type, object)),
    many(objects, metadata) {
      const head = { kind: `${kind.kind}List`, apiVersion: kind.apiVersion };
      // Lists of custom resources always have `continue`.
      const listMetadata = custom ? { continue: '', ...metadata } : metadata;
      // Items of built-in lists have no kind; stored bytes start with it, so it can be stripped.
      const repeated = JSON.stringify({ kind: kind.kind, apiVersion: kind.apiVersion }).length;
      return listPayload({ ...head, metadata: listMetadata }, objects, {
        value: ({ value }) => value,
        ...(custom
          ? { bytes: ({ bytes }) => bytes }
          : { opening: '{', bytes: ({ bytes }) => bytes.subarray(repeated) }),
      });
    },
  };
}

/** The view with every object converted to the served version. */
export function servedView({ toServed }: Resource, view: View): View {
  if (toServed === unconverted) return view;
  return {
    one: (object) => view.one(toServed(object)),
    many: (objects, metadata) =>
      view.many(
        mapped(objects, (object) => toServed(object)),
        metadata,
      ),
    event(type, object) {
      if (type === 'BOOKMARK') return view.event(type, object);
      // The revision of a deletion is not one at which the object was written.
      return view.event(type, type === 'DELETED' ? toServed(object, 0) : toServed(object));
    },
  };
}
