// SPDX-License-Identifier: Apache-2.0

/** A mistake in a step's program: it does what it does not declare, or contradicts another. Never the resource's fault. */
export class StepBug extends Error {
  override readonly name = 'StepBug';
}
