// SPDX-License-Identifier: Apache-2.0
import type { SecretValue } from '@forge/runtime/secrets/secret-value.ts';

/** A token for calls of servers, and where it comes from. */
export interface Credential {
  readonly token: SecretValue;
  /** As texts name it: `role upgrades`. */
  readonly from: string;
  /** Forgets a login that was refused, so that the next pass logs in again. */
  readonly forget: () => void;
}

/** Why there is no token, or why it was refused: for texts. */
export interface CredentialProblem {
  readonly problem: string;
}

/** Whether it is a problem. */
export const isProblem = (found: unknown): found is CredentialProblem =>
  typeof found === 'object' && found !== null && 'problem' in found;
