// SPDX-License-Identifier: Apache-2.0

/** A patch that cannot be applied: it is malformed, or does not fit the object. */
export class PatchError extends Error {
  override readonly name = 'PatchError';
}
