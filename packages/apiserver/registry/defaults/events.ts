// SPDX-License-Identifier: Apache-2.0
import type { Event, EventsEvent } from '@forge/kube/kinds/builtin.ts';
import { defaults, unset } from './defaults.ts';

export const fillEvent = defaults<Event>({
  firstTimestamp: unset,
  lastTimestamp: unset,
  eventTime: unset,
  reportingComponent: '',
  reportingInstance: '',
});

export const fillEventsEvent = defaults<EventsEvent>({
  eventTime: unset,
  deprecatedFirstTimestamp: unset,
  deprecatedLastTimestamp: unset,
});
