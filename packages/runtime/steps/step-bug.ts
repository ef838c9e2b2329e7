// SPDX-License-Identifier: Apache-2.0

/** A programming error in a step: it does what it does not declare, or contradicts another step. */
export class StepBug extends Error {
  override readonly name = 'StepBug';
}
