// SPDX-License-Identifier: Apache-2.0

/** A webhook could not be asked, or said nothing sensible: its failure policy decides what that means. */
export class CallFailure extends Error {
  override readonly name = 'CallFailure';
}
