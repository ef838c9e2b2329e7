// SPDX-License-Identifier: Apache-2.0

/** A webhook call failed or returned an invalid response: the failure policy applies. */
export class CallFailure extends Error {
  override readonly name = 'CallFailure';
}
