// SPDX-License-Identifier: Apache-2.0
import type { Clock } from '../environment/clock.ts';
import type { Duration } from '../environment/duration.ts';
import { HttpError, type HttpFailure, type HttpPhase } from './http-error.ts';

interface AttemptOptions {
  readonly method: string;
  readonly url: string;
  readonly deadline: Duration;
  readonly signal: AbortSignal;
}

/** One request from the resolution of its name to the last byte of the response. */
export class Attempt {
  phase: HttpPhase = 'connect';
  /** Aborts at the deadline, or when the caller's signal does. */
  readonly signal: AbortSignal;
  readonly #options: AttemptOptions;
  readonly #expired = new AbortController();
  /** Cancels the deadline. */
  readonly end: () => void;

  constructor(clock: Clock, options: AttemptOptions) {
    this.#options = options;
    this.signal = AbortSignal.any([options.signal, this.#expired.signal]);
    this.end = clock.after(options.deadline, () => this.#expired.abort());
  }

  /** The error to report: the caller's abort and the deadline take precedence over the errors that they cause. */
  errorOf(cause: unknown, failure: HttpFailure = { kind: 'broken-response', phase: this.phase }): HttpError {
    if (cause instanceof HttpError) return cause;
    const { signal, deadline } = this.#options;
    if (signal.aborted) return this.fail({ kind: 'aborted' }, signal.reason);
    if (!this.#expired.signal.aborted) return this.fail(failure, cause);
    return this.fail({ kind: 'timeout', phase: this.phase, seconds: deadline / 1000 }, cause);
  }

  fail(failure: HttpFailure, cause?: unknown): HttpError {
    return new HttpError(this.#options.method, this.#options.url, failure, cause);
  }
}
