// SPDX-License-Identifier: Apache-2.0

/** A patch that is malformed or does not match the object. */
export class PatchError extends Error {
  override readonly name = 'PatchError';
}
