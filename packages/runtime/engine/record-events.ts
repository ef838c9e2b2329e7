// SPDX-License-Identifier: Apache-2.0
import { boundedMap } from '../collections/bounded-map.ts';
import type { ReconcileContext } from '../controller/controller.ts';
import type { StepResource } from '../steps/step.ts';
import { changeOf } from './conditions.ts';
import { hasFinished, type PassStatus, type StatusWriter } from './pass-status.ts';
import { isOutcome, type StepResult } from './run-steps.ts';

// A forgotten Event is sent again, which only increases its count.
const remembered = 4096;

/** Logs changed conditions and sends their Events. */
export type RecordEvents = <N extends StatusWriter>(
  object: StepResource,
  status: PassStatus<N>,
  results: ReadonlyMap<N, StepResult>,
  reconcile: Pick<ReconcileContext, 'event' | 'log'>,
) => Promise<void>;

/** Remembers the Events of steps without a condition: each is sent once, until its text changes. */
export function eventsRecorder(): RecordEvents {
  const sent = boundedMap<string>(remembered);

  return async (object, { updates, before }, results, { event, log }) => {
    const changed = updates.filter((update) => changeOf(update, before) === 'changed');
    for (const { type, status, reason, message } of changed) log.info(`${type} ${status}`, { reason, detail: message });
    for (const [step, result] of results) {
      if (!isOutcome(result) || result.outcome === 'checkpoint' || result.event === undefined) continue;
      const key = `${object.metadata.uid} ${step.name}`;
      const text = JSON.stringify(result.event);
      const isChanged =
        step.condition === undefined
          ? sent.get(key) !== text
          : changed.some((update) => update.step === step && update.type === step.condition?.type);
      if (!isChanged && !hasFinished(step, result)) continue;
      sent.set(key, text);
      await event(object, result.event);
    }
  };
}
