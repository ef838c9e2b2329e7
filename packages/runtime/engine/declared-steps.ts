// SPDX-License-Identifier: Apache-2.0
import type { Controller } from '../controller/controller.ts';
import type { Reads } from '../steps/reads.ts';
import type { Services, Step, StepResource } from '../steps/step.ts';

type Declarations = 'name' | 'condition' | 'conditions' | 'finalizer' | 'owns' | 'modifies' | 'writes';

/** What a step declares; not what it does. */
export interface DeclaredStep extends Pick<Step<StepResource, Services>, Declarations> {
  readonly needs: Readonly<Record<string, DeclaredStep>>;
  readonly after: readonly DeclaredStep[];
  readonly reads: readonly Pick<Reads<StepResource, Services>, 'kind' | 'live'>[];
}

/** The steps of a controller, by when they run. */
export interface DeclaredSteps {
  /** Each may end a pass before its steps. */
  readonly guards: readonly DeclaredStep[];
  readonly steps: readonly DeclaredStep[];
  /** Runs after the steps. */
  readonly summary: DeclaredStep | undefined;
  /** Run instead of the steps when the resource is being deleted. */
  readonly deletion: readonly DeclaredStep[];
}

/** A controller made from steps, with what they declare: reference pages are generated from it. */
export interface StepController extends Controller {
  readonly declared: DeclaredSteps;
}

/** Whether the controller was made from steps. */
export function isStepController(controller: Controller): controller is StepController {
  return 'declared' in controller;
}
