// SPDX-License-Identifier: Apache-2.0

/** Ends a step of a plan where it would change something outside of the cluster. */
export class PlannedCall extends Error {
  override readonly name = 'PlannedCall';
  /** What would be done: `initialise OpenBao demo`. */
  readonly description: string;

  constructor(description: string) {
    super(`would call: ${description}`);
    this.description = description;
  }
}
