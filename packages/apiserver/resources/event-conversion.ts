// SPDX-License-Identifier: Apache-2.0
import type { Event, EventsEvent } from '@forge/kube/kinds/builtin.ts';
import type { KubeObject } from '@forge/kube/objects/object.ts';
import { StoredObject } from '../storage/stored-object.ts';

/** Fields of core Events and their names in events.k8s.io; all others have the same name. */
const renamedFields: Readonly<Record<string, string>> = {
  involvedObject: 'regarding',
  message: 'note',
  reportingComponent: 'reportingController',
  source: 'deprecatedSource',
  firstTimestamp: 'deprecatedFirstTimestamp',
  lastTimestamp: 'deprecatedLastTimestamp',
  count: 'deprecatedCount',
};
const coreNames = Object.fromEntries(Object.entries(renamedFields).map(([core, name]) => [name, core]));

/** Strings that core Events include even when empty. */
const shownEmpty = ['reportingComponent', 'reportingInstance'];

/** Converts a core Event to events.k8s.io. */
function eventsEventOf(event: KubeObject): EventsEvent {
  const { metadata } = event;
  const fields = fieldsOf(event).filter(([name, value]) => value !== '' || !shownEmpty.includes(name));
  return { kind: 'Event', apiVersion: 'events.k8s.io/v1', metadata, ...renamed(fields, renamedFields) } as EventsEvent;
}

/** Converts an Event of events.k8s.io to the core group, in which Events are stored. */
export function coreEventOf(event: KubeObject): Event {
  const { metadata } = event;
  const empty = Object.fromEntries(shownEmpty.map((name) => [name, '']));
  return {
    kind: 'Event',
    apiVersion: 'v1',
    metadata,
    ...empty,
    ...renamed(fieldsOf(event), coreNames),
  } as unknown as Event;
}

const converted = new WeakMap<StoredObject, StoredObject>();

/** A stored Event converted to events.k8s.io; cached. */
export function storedEventsEvent(stored: StoredObject): StoredObject {
  const known = converted.get(stored) ?? new StoredObject(stored.key, stored.revision, eventsEventOf(stored.value));
  converted.set(stored, known);
  return known;
}

/** The fields of an object other than kind, apiVersion and metadata. */
function fieldsOf(object: KubeObject): [string, unknown][] {
  return Object.entries(object).filter(([name]) => !['kind', 'apiVersion', 'metadata'].includes(name));
}

function renamed(fields: [string, unknown][], names: Readonly<Record<string, string>>): object {
  return Object.fromEntries(fields.map(([name, value]) => [names[name] ?? name, value]));
}
