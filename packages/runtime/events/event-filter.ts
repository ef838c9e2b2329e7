// SPDX-License-Identifier: Apache-2.0
import type { KubeObject } from '@forge/kube/objects/object.ts';
import { boundedMap } from '../collections/bounded-map.ts';
import type { Clock } from '../environment/clock.ts';
import { minutes } from '../environment/duration.ts';
import type { EventNote } from './event-recorder.ts';

/** An Event to send, and the series it is counted in. */
interface FilteredNote {
  note: EventNote;
  /** Events of one series share one object. */
  series: string;
}

/** The Event to send; undefined when its object is over the rate limit. */
export type EventFilter = (object: KubeObject, note: EventNote) => FilteredNote | undefined;

/** Token bucket of each object: this many Events at once, then one per refill period. */
const burst = 25;
const refill = minutes(5);

/** This many distinct messages of one reason are sent within this period; further ones are combined. */
const distinctTexts = 10;
const similarWithin = minutes(10);

const remembered = 4096;

interface Allowance {
  left: number;
  since: number;
}

interface Similar {
  texts: Set<string>;
  last: number;
}

/** Rate-limits and combines Events, with the limits of client-go. */
export function eventFilter(clock: Clock): EventFilter {
  const allowances = boundedMap<Allowance>(remembered);
  const similar = boundedMap<Similar>(remembered);

  function isAllowed(key: string): boolean {
    const now = clock.monotonic();
    const { left, since } = allowances.get(key) ?? { left: burst, since: now };
    const refilled = Math.min(burst, left + (now - since) / refill);
    const allowed = refilled >= 1;
    allowances.set(key, { left: allowed ? refilled - 1 : refilled, since: now });
    return allowed;
  }

  function exceedsDistinctTexts(reason: string, text: string): boolean {
    const now = clock.monotonic();
    const known = similar.get(reason);
    const texts = known === undefined || now - known.last > similarWithin ? new Set<string>() : known.texts;
    if (texts.size < distinctTexts) texts.add(text);
    similar.set(reason, { texts, last: now });
    return !texts.has(text);
  }

  return (object, note) => {
    const about = object.metadata.uid ?? `${object.kind}/${object.metadata.namespace ?? ''}/${object.metadata.name}`;
    const reason = JSON.stringify([about, note.type, note.reason]);
    const combined = exceedsDistinctTexts(reason, note.message);
    if (!isAllowed(about)) return undefined;
    return combined
      ? { note: { ...note, message: `(combined from similar events): ${note.message}` }, series: reason }
      : { note, series: JSON.stringify([reason, note.message]) };
  };
}
