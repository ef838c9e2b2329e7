// SPDX-License-Identifier: Apache-2.0
import type { Event, EventsEvent } from '@forge/kube/kinds/builtin.ts';
import { coreEventOf } from '../resources/event-conversion.ts';
import { age, column, wideColumn, type TableColumn } from '../resources/table-column.ts';

export const eventColumns: readonly TableColumn<Event>[] = [
  column('Last Seen', (event, now) =>
    age(event.series?.lastObservedTime ?? event.lastTimestamp ?? firstSeen(event), now),
  ),
  column('Type', ({ type }) => type ?? ''),
  column('Reason', ({ reason }) => reason ?? ''),
  column('Object', ({ involvedObject: { kind = '', name = '' } }) =>
    name === '' ? kind.toLowerCase() : `${kind.toLowerCase()}/${name}`,
  ),
  wideColumn('Subobject', ({ involvedObject }) => involvedObject.fieldPath ?? ''),
  wideColumn('Source', ({ source, reportingComponent, reportingInstance }) => {
    const component = firstText(source?.component, reportingComponent);
    const host = firstText(source?.host, reportingInstance);
    return host === '' ? component : `${component}, ${host}`;
  }),
  column('Message', ({ message = '' }) => message.trim()),
  wideColumn('First Seen', (event, now) => age(firstSeen(event), now)),
  wideColumn('Count', ({ series, count }) => series?.count ?? (count === undefined || count === 0 ? 1 : count)),
  column('Name', ({ metadata }) => metadata.name, { format: 'name', priority: 1 }),
];

/** events.k8s.io has the columns of the core group. */
export const eventsEventColumns: readonly TableColumn<EventsEvent>[] = eventColumns.map((each) => ({
  ...each,
  cell: (event, now) => each.cell(coreEventOf(event), now),
}));

function firstText(...texts: readonly (string | undefined)[]): string {
  return texts.find((text = '') => text !== '') ?? '';
}

function firstSeen({ firstTimestamp, eventTime }: Event): string | undefined {
  return firstTimestamp ?? eventTime;
}
