// SPDX-License-Identifier: Apache-2.0
import type { Client } from '@forge/kube/client/client.ts';
import { isApiError } from '@forge/kube/errors/api-error.ts';
import { Event } from '@forge/kube/kinds/builtin.ts';
import type { KubeObject } from '@forge/kube/objects/object.ts';
import { boundedMap } from '../collections/bounded-map.ts';
import { timestamp, type Clock } from '../environment/clock.ts';
import type { Random } from '../environment/random.ts';
import type { Logger } from '../observability/logger.ts';
import { eventFilter } from './event-filter.ts';

/** The content of an Event. */
export interface EventNote {
  type: 'Normal' | 'Warning';
  reason: string;
  message: string;
}

/** Records an Event about an object. Never rejects: an Event that cannot be sent is logged. */
export type EventRecorder = (object: KubeObject, note: EventNote) => Promise<void>;

interface Series {
  event: Event;
  /** Settles when the last write of the series has ended: they must not overtake each other. */
  sent: Promise<void>;
}

// Leaves room for the suffix within the 253 characters of a name, and ends with a valid character.
const namePrefixOf = (name: string) => name.slice(0, 236).replace(/[.-]+$/, '');

// A forgotten series starts a new Event object instead of increasing its count.
const rememberedSeries = 1000;

/** A recorder of core Events: identical ones increase a count, floods are rate-limited. */
export function eventRecorder(options: {
  client: Client;
  clock: Clock;
  random: Random;
  log: Logger;
  /** The source: `keystone-controller`. */
  component: string;
  /** Aborts when shutdown cannot wait for Events any longer. */
  signal: AbortSignal;
}): EventRecorder {
  const { client, clock, random, log, component, signal } = options;
  const series = boundedMap<Series>(rememberedSeries);
  const filter = eventFilter(clock);

  function firstEvent(object: KubeObject, note: EventNote): Event {
    const { name, namespace, uid, resourceVersion } = object.metadata;
    const time = timestamp(clock);
    return {
      apiVersion: 'v1',
      kind: 'Event',
      metadata: {
        name: `${namePrefixOf(name)}.${Buffer.from(random.bytes(8)).toString('hex')}`,
        namespace: namespace ?? 'default',
      },
      involvedObject: {
        apiVersion: object.apiVersion,
        kind: object.kind,
        name,
        ...(namespace !== undefined && { namespace }),
        ...(uid !== undefined && { uid }),
        ...(resourceVersion !== undefined && { resourceVersion }),
      },
      ...note,
      source: { component },
      reportingComponent: component,
      reportingInstance: '',
      firstTimestamp: time,
      lastTimestamp: time,
      count: 1,
    };
  }

  async function countUp(event: Event): Promise<void> {
    const { count, lastTimestamp, message } = event;
    try {
      await client.patch(Event, event.metadata, 'merge', { count, lastTimestamp, message }, { signal });
    } catch (error) {
      // The server expires Events.
      if (!isApiError(error, 'NotFound')) throw error;
      await client.create(Event, event, { signal });
    }
  }

  return async (object, recorded) => {
    const filtered = filter(object, recorded);
    if (filtered === undefined) return;
    const { note, series: key } = filtered;
    const known = series.get(key);
    const event =
      known === undefined
        ? firstEvent(object, note)
        : { ...known.event, ...note, lastTimestamp: timestamp(clock), count: (known.event.count ?? 0) + 1 };
    const send = async () => {
      try {
        await known?.sent;
        await (known === undefined ? client.create(Event, event, { signal }) : countUp(event));
      } catch (error) {
        log.warn('cannot record an Event', { event: note, error });
      }
    };
    const sent = send();
    series.set(key, { event, sent });
    await sent;
  };
}
