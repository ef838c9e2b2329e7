// SPDX-License-Identifier: Apache-2.0
import { boundedMap } from '../collections/bounded-map.ts';
import type { ReconcileContext } from '../controller/controller.ts';
import type { StepResource } from '../steps/step.ts';
import { changeOf } from './conditions.ts';
import { hasFinished, type PassStatus, type StatusWriter } from './pass-status.ts';
import { isOutcome, type StepResult } from './run-steps.ts';

// Forgetting one sends an Event again, which the recorder counts up.
const remembered = 4096;

/** Logs what a pass says anew, and sends the Events that belong to it. */
export type Announce = <N extends StatusWriter>(
  object: StepResource,
  status: PassStatus<N>,
  results: ReadonlyMap<N, StepResult>,
  reconcile: Pick<ReconcileContext, 'event' | 'log'>,
) => Promise<void>;

/** An announcer that remembers the Events of steps without a condition: each is sent once, until it says something else. */
export function eventAnnouncer(): Announce {
  const sent = boundedMap<string>(remembered);

  return async (object, { updates: verdicts, before }, results, { event, log }) => {
    const news = verdicts.filter((verdict) => changeOf(verdict, before) === 'changed');
    for (const { type, status, reason, message } of news) log.info(`${type} ${status}`, { reason, detail: message });
    for (const [step, result] of results) {
      if (!isOutcome(result) || result.outcome === 'checkpoint' || result.event === undefined) continue;
      const key = `${object.metadata.uid} ${step.name}`;
      const text = JSON.stringify(result.event);
      const isNews =
        step.condition === undefined
          ? sent.get(key) !== text
          : news.some((verdict) => verdict.step === step && verdict.type === step.condition?.type);
      if (!isNews && !hasFinished(step, result)) continue;
      sent.set(key, text);
      await event(object, result.event);
    }
  };
}
