// SPDX-License-Identifier: Apache-2.0
import { stepFor, type Services, type Step, type StepOptions, type StepResource } from './step.ts';

/** A step of the deletion pipeline: its finalizer holds the resource until the step is ready. */
export interface DeletionStep<T extends StepResource, S extends Services> extends Step<T, S> {
  readonly finalizer: string;
}

/** The options of a deletion step; deletion steps do not depend on each other. */
interface DeletionStepOptions<T extends StepResource, S extends Services> extends Omit<
  StepOptions<T, S, unknown, Record<string, never>, never>,
  'needs' | 'after' | 'skipped' | 'writes'
> {
  finalizer: string;
}

/** The deletion step function of one operator: `T` is its resource, `S` are the outside services its steps use. */
export function deletionStepFor<T extends StepResource, S extends Services>() {
  const step = stepFor<T, S>();
  return function deletionStep({ finalizer, ...options }: DeletionStepOptions<T, S>): DeletionStep<T, S> {
    return { ...step(options), finalizer };
  };
}
