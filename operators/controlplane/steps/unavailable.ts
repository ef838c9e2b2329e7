// SPDX-License-Identifier: Apache-2.0
import type { Statement } from '@forge/runtime/conditions/cases.ts';
import { degraded, waiting, type Satisfied, type Unsatisfied } from '@forge/runtime/steps/outcome.ts';
import type { ControlPlane } from '../api/control-plane.ts';
import { wasMinted } from '../api/settings.ts';

/**
 * The outcome of a step for which something is unavailable: the first application credential waits for it; a renewal does not,
 * because a revoked credential must be replaced in any case.
 */
export function unavailable<O = undefined>(
  controlPlane: ControlPlane,
  statement: Statement,
  extras: { output?: O } = {},
): Satisfied<O, object> | Unsatisfied<object> {
  return wasMinted(controlPlane) ? degraded<O>(statement, extras) : waiting(statement);
}
