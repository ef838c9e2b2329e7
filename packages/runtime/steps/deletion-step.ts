// SPDX-License-Identifier: Apache-2.0
import { stepFor, type Services, type StatusField, type Step, type StepOptions, type StepResource } from './step.ts';

/** A step of the deletion pipeline: its finalizer holds the resource until the step is ready. */
export interface DeletionStep<T extends StepResource, S extends Services> extends Step<T, S> {
  readonly finalizer: string;
}

/**
 * The deletion step function of one operator: `T` is its resource, `S` are the outside services its steps use. Deletion steps
 * need only each other; one whose finalizer is gone counts as ready, without an output.
 */
export function deletionStepFor<T extends StepResource, S extends Services>() {
  const step = stepFor<T, S>();
  return function deletionStep<
    const N extends Readonly<Record<string, DeletionStep<T, S>>> = Record<string, never>,
    const W extends StatusField<T> = never,
  >({ finalizer, ...options }: StepOptions<T, S, unknown, N, W> & { finalizer: string }): DeletionStep<T, S> {
    return { ...step(options), finalizer };
  };
}
