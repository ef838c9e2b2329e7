// SPDX-License-Identifier: Apache-2.0
import { HttpError } from '@forge/runtime/http/http-error.ts';
import type { SecretValue } from '@forge/runtime/secrets/secret-value.ts';

/**
 * Why a call has no result:
 * - `unreachable`: there is no answer; whether the call took effect is unknown
 * - `sealed`, `uninitialised`: the server cannot do it before it is unsealed or initialised
 * - `standby`: it does not lead, and could not hand the call on to who does
 * - `denied`: the token is wrong or may not do it
 * - `refused`: any other answer that is no success; its text says why
 */
export type OpenBaoFailure = 'unreachable' | 'sealed' | 'uninitialised' | 'standby' | 'denied' | 'refused';

/** A call to a server without a result. Its text has what the server said, and never a token. */
export class OpenBaoError extends Error {
  override readonly name = 'OpenBaoError';
  readonly failure: OpenBaoFailure;
  /** The status code, where there was an answer. */
  readonly status: number | undefined;

  constructor(asked: string, failure: OpenBaoFailure, said: string, rest: { status?: number; cause?: unknown } = {}) {
    super(`${asked}: ${said}`, { cause: rest.cause });
    this.failure = failure;
    this.status = rest.status;
  }

  /** Whether the server said this; texts are wrapped differently from version to version, so that a part must do. */
  mentions(part: string): boolean {
    return this.message.toLowerCase().includes(part.toLowerCase());
  }
}

/** The error of a call that got no answer; one that its caller aborted stays what it is. */
export function unanswered(asked: string, error: unknown): unknown {
  if (!(error instanceof HttpError) || error.failure.kind === 'aborted') return error;
  return new OpenBaoError(asked, 'unreachable', error.message, { cause: error });
}

/** The error of an answer that is no success. */
export function refusal(asked: string, status: number, body: unknown, secrets: readonly SecretValue[]): OpenBaoError {
  const said = secrets.reduce((text, secret) => text.replaceAll(secret.reveal(), '[redacted]'), textsIn(body));
  const answered = `OpenBao answered ${status}${said === '' ? '' : `: ${said}`}`;
  return new OpenBaoError(asked, failureOf(status, said), answered, { status });
}

function failureOf(status: number, said: string): OpenBaoFailure {
  if (status === 403) return 'denied';
  if (status === 307 || /active (?:cluster )?node not found|no active node/i.test(said)) return 'standby';
  if (/not initialized|uninitialized/i.test(said)) return 'uninitialised';
  if (status === 503 || /\bis sealed\b/i.test(said)) return 'sealed';
  return 'refused';
}

/** The errors in a body on one line, without the frame that several versions put around them. */
function textsIn(body: unknown): string {
  const { errors } = (typeof body === 'object' && body !== null ? body : {}) as { errors?: unknown };
  if (!Array.isArray(errors)) return '';
  return errors
    .map((each) =>
      String(each)
        .replace(/^\d+ errors? occurred:\s*/, '')
        .replaceAll(/\s*\n\s*\*?\s*/g, ' ')
        .replace(/^\* /, '')
        .trim(),
    )
    .join('; ');
}
