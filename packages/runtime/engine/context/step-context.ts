// SPDX-License-Identifier: Apache-2.0
import type { Kind } from '@forge/kube/kinds/kind.ts';
import type { Apply } from '../../apply/applier.ts';
import type { Reconcile } from '../../controller/controller.ts';
import type { EventNote } from '../../events/event-recorder.ts';
import type { Logger } from '../../logging/logger.ts';
import type { Metrics } from '../../metrics/metrics.ts';
import type { Random } from '../../random/random.ts';
import type { Services, Step, StepResource } from '../../steps/step.ts';
import type { Clock } from '../../time/clock.ts';
import type { AppliedBodies } from './applied-bodies.ts';
import { contextReads, type ContextReads } from './context-reads.ts';
import { contextTouches, type ContextTouches } from './context-touches.ts';
import { contextWrites, type ContextWrites } from './context-writes.ts';

/** What a step works with. Reads come from the cache unless they say otherwise; writes are skipped when nothing would change. */
export interface StepContext<T extends StepResource, S extends Services, N>
  extends ContextReads<T, S>, ContextWrites, ContextTouches {
  object: T;
  /** The outputs of the needed steps. */
  needs: N;
  /** For the summary: the status that the other steps of this pass lead to. For all others: the status as it was. */
  pending: NonNullable<T['status']>;
  /** Outside systems, to look at. */
  services: S['reading'];
  /** Changes something in an outside system; a plan stops here and shows the description. */
  act: <R>(description: string, call: (acting: S['acting']) => Promise<R>) => Promise<R>;
  event: (note: EventNote) => Promise<void>;
  /** Measurements of this resource: they go when it does. */
  metrics: Metrics;
  clock: Clock;
  random: Random;
  log: Logger;
  signal: AbortSignal;
}

/** What all steps of one pass share. */
export interface PassContext<T extends StepResource, S extends Services> {
  readonly kind: Kind<T>;
  readonly object: T;
  readonly pending: NonNullable<T['status']>;
  readonly services: S;
  /** What this step reads and writes with. */
  readonly reconcile: (step: string) => Reconcile;
  readonly act: <R>(step: string, description: string, call: (acting: S['acting']) => Promise<R>) => Promise<R>;
  /** Applies under the operator's name, or as the writer of a part. */
  readonly apply: (part: string | undefined) => Apply;
  readonly applied: AppliedBodies;
  readonly metrics: Metrics;
}

/** What one run of a step works with. */
export function stepContext<T extends StepResource, S extends Services>(
  pass: PassContext<T, S>,
  step: Step<T, S>,
  needs: Readonly<Record<string, unknown>>,
): StepContext<T, S, Readonly<Record<string, unknown>>> {
  const { object } = pass;
  const reconcile = pass.reconcile(step.name);
  const { clock, random, log, signal } = reconcile;
  return {
    object,
    needs,
    pending: pass.pending,
    services: pass.services.reading,
    act: (description, call) => pass.act(step.name, description, call),
    event: (note) => reconcile.event(object, note),
    metrics: pass.metrics,
    clock,
    random,
    log: log.with({ step: step.name }),
    signal,
    ...contextReads(pass, step, reconcile),
    ...contextWrites(pass, step, reconcile),
    ...contextTouches(pass, step, reconcile),
  };
}
