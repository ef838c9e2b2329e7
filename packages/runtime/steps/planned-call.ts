// SPDX-License-Identifier: Apache-2.0

/** Ends a step in a plan where it would change something outside of the cluster. */
export class PlannedCall extends Error {
  override readonly name = 'PlannedCall';
  /** The planned call: `initialise OpenBao demo`. */
  readonly description: string;

  constructor(description: string) {
    super(`would call: ${description}`);
    this.description = description;
  }
}
