// SPDX-License-Identifier: Apache-2.0

/** The exit codes of the executor. */
export const exitCodes = {
  done: 0,
  /** Its environment or its files are wrong. */
  config: 1,
  /** OpenBao refuses the login, the token, or what its policies do not allow. */
  auth: 2,
  /** No server leads. */
  leader: 3,
  /** The snapshot could not be read, or is not whole. */
  snapshot: 4,
  /** The storage server refuses it, or cannot be reached. */
  storage: 5,
  /** What is stored is not what was sent. */
  verification: 6,
  /** It was stopped before it had finished. */
  stopped: 143,
} as const;

type FailureKind = Exclude<keyof typeof exitCodes, 'done'>;

/** Why the executor did not do what it was started for; its text is what people read. */
export class ExecutorFailure extends Error {
  readonly kind: FailureKind;

  constructor(kind: FailureKind, message: string, cause?: unknown) {
    super(message, { cause });
    this.kind = kind;
  }
}
