// SPDX-License-Identifier: Apache-2.0
import type { KubeObject } from '@forge/kube/objects/object.ts';
import { boundedMap } from '../collections/bounded-map.ts';
import type { Clock } from '../time/clock.ts';
import { minutes } from '../time/duration.ts';
import type { EventNote } from './event-recorder.ts';

/** A note worth sending, and what it is counted with. */
interface FilteredNote {
  note: EventNote;
  /** Notes of one series are one Event. */
  series: string;
}

/** The note to send; undefined when its object has been spoken of too much. */
export type EventFilter = (object: KubeObject, note: EventNote) => FilteredNote | undefined;

/** An object may be spoken of this often at a stretch, then once in so long. */
const burst = 25;
const refill = minutes(5);

/** So many texts of one reason are told one by one within so long; further ones are told as one. */
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

/** Keeps a resource in trouble from flooding the cluster with Events, by the figures that Kubernetes' own clients go by. */
export function eventFilter(clock: Clock): EventFilter {
  const allowances = boundedMap<Allowance>(remembered);
  const similar = boundedMap<Similar>(remembered);

  function isAllowed(key: string): boolean {
    const now = clock.now();
    const { left, since } = allowances.get(key) ?? { left: burst, since: now };
    // A clock that is set back takes nothing away.
    const refilled = Math.min(burst, left + Math.max(0, now - since) / refill);
    const allowed = refilled >= 1;
    allowances.set(key, { left: allowed ? refilled - 1 : refilled, since: now });
    return allowed;
  }

  function exceedsDistinctTexts(reason: string, text: string): boolean {
    const now = clock.now();
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
