// SPDX-License-Identifier: Apache-2.0
import type { Kind } from '@forge/kube/kinds/kind.ts';
import type { Apply } from '../../apply/applier.ts';
import type { BoundedMap } from '../../collections/bounded-map.ts';
import type { ReconcileContext } from '../../controller/controller.ts';
import type { Metrics } from '../../observability/metrics.ts';
import type { StepContext } from '../../steps/step-context.ts';
import type { Services, Step, StepResource } from '../../steps/step.ts';
import type { AppliedBodies } from './applied-bodies.ts';
import { contextModifications } from './context-modifications.ts';
import { contextReads } from './context-reads.ts';
import { contextWrites } from './context-writes.ts';
import type { SeenInRun, SeenStates } from './seen-states.ts';

/** What all steps of one pass share. */
export interface PassContext<T extends StepResource, S extends Services> {
  readonly kind: Kind<T>;
  readonly object: T;
  readonly pending: NonNullable<T['status']>;
  readonly services: S;
  /** The context of a step, or of the engine itself as `status` and `finalizers`. */
  readonly reconcile: (step: string) => ReconcileContext;
  /** Ends the step in a plan. */
  readonly act: <R>(step: string, description: string, call: (acting: S['acting']) => Promise<R>) => Promise<R>;
  /** Gives undefined in a plan. */
  readonly actUnlessPlanned: <R>(
    step: string,
    description: string,
    call: (acting: S['acting']) => Promise<R>,
  ) => Promise<R | undefined>;
  /** Applies with the operator's field manager, or with that of a part. */
  readonly apply: (part: string | undefined) => Apply;
  readonly applied: AppliedBodies;
  readonly metrics: Metrics;
  /** What the steps have seen of this resource. */
  readonly seen: SeenStates;
  /** By resource, step and reason: the value of `once` with which the last Event was sent. */
  readonly sentOnce: BoundedMap<string>;
}

/** The context of one run of a step. */
export function buildStepContext<T extends StepResource, S extends Services>(
  pass: PassContext<T, S>,
  step: Step<T, S>,
  needs: Readonly<Record<string, unknown>>,
  { seenFor }: SeenInRun,
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
    actUnlessPlanned: (description, call) => pass.actUnlessPlanned(step.name, description, call),
    async event(note, { once, about = object } = {}) {
      const key = JSON.stringify([object.metadata.uid, step.name, note.reason]);
      if (once !== undefined && pass.sentOnce.get(key) === once) return;
      if (once !== undefined) pass.sentOnce.set(key, once);
      await reconcile.event(about, note);
    },
    seenFor,
    metrics: pass.metrics,
    clock,
    random,
    log: log.with({ step: step.name }),
    signal,
    ...contextReads(pass, step, reconcile),
    ...contextWrites(pass, step, reconcile),
    ...contextModifications(pass, step, reconcile),
  };
}
