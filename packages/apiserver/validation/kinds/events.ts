// SPDX-License-Identifier: Apache-2.0
import type { Event, EventsEvent } from '@forge/kube/kinds/builtin.ts';
import { jsonEqual } from '@forge/kube/objects/json.ts';
import { qualifiedNameProblem, qualifiedNameRule } from '../../formats/names.ts';
import { coreEventOf } from '../../resources/event-conversion.ts';
import type { Rule, Inspection } from '../inspection.ts';
import { given, validation, type ChangeRule } from '../rule.ts';
import { text } from '../value-rules.ts';

const longest = 128;

const longestNote = 1024;

/** Namespaces for Events about cluster-scoped objects. */
const clusterEventNamespaces = ['default', 'kube-system'];

function isTimed({ eventTime }: Event): boolean {
  return (eventTime ?? null) !== null;
}

/** kube-apiserver reports a missing name twice. */
const reporterName: Rule<string> = (name = '', at) => {
  if (name === '') {
    at.required();
    at.invalid(name, 'name part must be non-empty');
    at.invalid(name, `name part ${qualifiedNameRule}`);
  } else text(qualifiedNameProblem)(name, at);
};

/** Validates an Event: its namespace is that of the involved object; with eventTime, reporter and action are required. */
function checkEvent(event: Event, at: Inspection, reporter: string): void {
  const { namespace = '' } = event.involvedObject;
  const eventNamespace = event.metadata.namespace ?? '';
  const isMatching = isTimed(event)
    ? namespace !== '' || clusterEventNamespaces.includes(eventNamespace)
    : eventNamespace === (namespace === '' ? 'default' : namespace);
  if (!isMatching) at.invalid(namespace, 'does not match event.namespace', 'involvedObject.namespace');
  if (!isTimed(event)) return;
  at.inside(reporter, event.reportingComponent, reporterName);
  for (const field of ['reportingInstance', 'action', 'reason'] as const) {
    const value = event[field] ?? '';
    if (value === '') at.required(undefined, field);
    if (value.length > longest) at.invalid('', `can have at most ${longest} characters`, field);
  }
  if ((event.message ?? '').length > longestNote)
    at.invalid('', `can have at most ${longestNote} characters`, 'message');
}

/** Validates a core Event. */
export const validateEvent = validation<Event>(given((event, at) => checkEvent(event, at, 'reportingComponent')));

/** An event series counts from 2. */
function checkSeries({ series }: Event, at: Inspection): void {
  if (series === undefined) return;
  if ((series.count ?? 0) < 2) at.invalid('', 'should be at least 2', 'series.count');
  if ((series.lastObservedTime ?? null) === null) at.required(undefined, 'series.lastObservedTime');
}

/** New-style Events need eventTime and type, and no deprecated fields. */
function checkNew(event: Event, at: Inspection): void {
  checkSeries(event, at);
  if (!isTimed(event)) at.required(undefined, 'eventTime');
  const { type = '', source } = event;
  if (type !== 'Normal' && type !== 'Warning') at.invalid('', `has invalid value: ${type}`, 'type');
  for (const field of ['firstTimestamp', 'lastTimestamp', 'count'] as const) {
    if ((event[field] ?? 0) !== 0) at.invalid('', 'needs to be unset', field);
  }
  if (((source?.component ?? '') || (source?.host ?? '')) !== '') at.invalid('', 'needs to be unset', 'source');
}

/** Immutable fields in kube-apiserver's order; one is reported twice. */
const kept = [
  'involvedObject',
  'reason',
  'message',
  'source',
  'firstTimestamp',
  'lastTimestamp',
  'count',
  'reason',
  'type',
  'eventTime',
  'action',
  'related',
  'reportingComponent',
  'reportingInstance',
] as const;

const unchanged: ChangeRule<Event> = (event, before, at) => {
  if (!jsonEqual(event.series, before.series)) checkSeries(event, at);
  for (const field of kept) {
    if (jsonEqual(event[field], before[field])) continue;
    at.immutable(event[field], field === 'reportingComponent' ? 'reportingController' : field);
  }
};

const strict = validation<Event>(
  given((event, at) => checkEvent(event, at, 'reportingController')),
  unchanged,
);

/** Validates an Event of events.k8s.io: like a core Event, and without deprecated fields when it is new. */
export function validateEventsEvent(object: EventsEvent, before: EventsEvent | undefined) {
  const event = coreEventOf(object);
  const errors = strict(event, before && coreEventOf(before));
  return before === undefined ? [...errors, ...validation<Event>(given(checkNew))(event, undefined)] : errors;
}
