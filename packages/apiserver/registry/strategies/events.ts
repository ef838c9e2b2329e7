// SPDX-License-Identifier: Apache-2.0
import type { Event, EventsEvent } from '@forge/kube/kinds/builtin.ts';
import type { Strategy } from '../../resources/resource.ts';
import { validateEvent, validateEventsEvent } from '../../validation/kinds/events.ts';
import { fillEvent, fillEventsEvent } from '../defaults/events.ts';
import { strategy } from './strategy.ts';

const objectFields = ['kind', 'namespace', 'name', 'uid', 'apiVersion', 'resourceVersion', 'fieldPath'];

/** By kind. */
export const eventStrategies: Readonly<Record<string, Strategy>> = {
  Event: strategy<Event>({
    fillZeroValues: fillEvent,
    validate: validateEvent,
    allowCreateOnUpdate: true,
    selectableObject: (event) => ({ ...event, source: event.source?.component ?? event.reportingComponent }),
    selectableFields: [
      ...objectFields.map((field) => `involvedObject.${field}`),
      'reason',
      'reportingComponent',
      'source',
      'type',
    ],
  }),
  'events.k8s.io/v1/Event': strategy<EventsEvent>({
    fillZeroValues: fillEventsEvent,
    validate: validateEventsEvent,
    allowCreateOnUpdate: true,
    selectableFields: [...objectFields.map((field) => `regarding.${field}`), 'reason', 'reportingController', 'type'],
  }),
};
