// SPDX-License-Identifier: Apache-2.0
import type { Payload } from '../request/payload.ts';
import { unconverted, type Resource } from '../resources/resource.ts';
import type { EventType, StoredObject } from '../storage/stored-object.ts';
import { listPayload, type ListMeta } from './list-payload.ts';

/** The form in which a caller wants objects: whole, as rows of a table, or their metadata only. */
export interface View {
  one(object: StoredObject): Payload;
  many(objects: readonly StoredObject[], metadata: ListMeta): Payload;
  event(type: EventType, object: StoredObject): Payload;
}

/** Objects as they are stored, their bytes handed out without encoding them again. */
export function objectView({ kind, custom }: Resource): View {
  return {
    one: (object) => object,
    event: (type, object) => object.event(type),
    many(objects, metadata) {
      const head = { kind: `${kind.kind}List`, apiVersion: kind.apiVersion };
      // A list of custom resources says that there is no more, where others say nothing.
      const listMetadata = custom ? { continue: '', ...metadata } : metadata;
      // The items of a built-in list do not repeat the kind; stored bytes begin with it, so it can be cut off.
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

/** The view with every object as its kind has it. */
export function servedView({ toServed }: Resource, view: View): View {
  if (toServed === unconverted) return view;
  return {
    one: (object) => view.one(toServed(object)),
    many: (objects, metadata) =>
      view.many(
        objects.map((object) => toServed(object)),
        metadata,
      ),
    event(type, object) {
      if (type === 'BOOKMARK') return view.event(type, object);
      // A deletion has a revision of its own, at which nothing was written.
      return view.event(type, type === 'DELETED' ? toServed(object, 0) : toServed(object));
    },
  };
}
