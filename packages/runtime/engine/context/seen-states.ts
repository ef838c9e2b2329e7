// SPDX-License-Identifier: Apache-2.0
import type { ObjectRef } from '@forge/kube/objects/object.ts';
import type { Clock } from '../../environment/clock.ts';
import { milliseconds, type Duration } from '../../environment/duration.ts';
import { keyOf } from '../../objects/object-key.ts';

/** By step and key: since when, by the monotonic clock, the steps of one resource have seen a state. */
export type SeenStates = Map<string, Map<string, number>>;

/** The seen states of all resources. */
interface SeenByResource {
  /** Those of this resource; what was seen of an earlier resource of the same name is forgotten. */
  of(ref: ObjectRef, uid: string | undefined): SeenStates;
  /** Forgets a deleted resource. */
  drop(ref: ObjectRef): void;
}

/** Remembers what steps see, for as long as their resources exist. */
export function seenByResource(): SeenByResource {
  const known = new Map<string, { uid: string | undefined; states: SeenStates }>();
  return {
    of(ref, uid) {
      const found = known.get(keyOf(ref));
      if (found !== undefined && found.uid === uid) return found.states;
      const states: SeenStates = new Map();
      known.set(keyOf(ref), { uid, states });
      return states;
    },
    drop: (ref) => void known.delete(keyOf(ref)),
  };
}

/** What one run of a step sees. */
export interface SeenInRun {
  seenFor: (key: string, now: boolean) => Duration;
  /** To be called when the run has ended with an outcome: forgets the states that it did not ask for. */
  finish(): void;
}

/** Measures how long the runs of a step have seen states; a run that throws does not end the states it did not ask for. */
export function seenInRun(states: SeenStates, step: string, clock: Pick<Clock, 'monotonic'>): SeenInRun {
  const since = states.get(step) ?? new Map<string, number>();
  const asked = new Set<string>();
  return {
    seenFor(key, now) {
      if (!now) {
        since.delete(key);
        return milliseconds(0);
      }
      const time = clock.monotonic();
      asked.add(key);
      if (!since.has(key)) since.set(key, time);
      states.set(step, since);
      return milliseconds(time - (since.get(key) ?? time));
    },
    finish() {
      for (const key of since.keys()) if (!asked.has(key)) since.delete(key);
      if (since.size === 0) states.delete(step);
    },
  };
}
