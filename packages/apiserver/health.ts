// SPDX-License-Identifier: Apache-2.0
import type { ServerRequest, ServerResponse } from './server-request.ts';
import type { Store } from './storage/store.ts';

/** One of the things that must be well for the server to be. */
export interface HealthCheck {
  readonly name: string;
  /** Rejects when it is not well. */
  check(): Promise<void>;
}

/** Whether changes can be kept; asking also tries to make that so, since nobody may be writing. */
export function storageCheck(store: Store): HealthCheck {
  return { name: 'storage', check: () => store.recover() };
}

const paths: ReadonlySet<string> = new Set(['/healthz', '/livez', '/readyz']);

/** Answers health requests: `ok`, or every check with its result when one fails. Undefined when the path is about something else. */
export function answerHealth(
  checks: readonly HealthCheck[],
  { path }: ServerRequest,
): Promise<ServerResponse> | undefined {
  return paths.has(path) ? runChecks(checks, path.slice(1)) : undefined;
}

async function runChecks(checks: readonly HealthCheck[], name: string): Promise<ServerResponse> {
  const results = await Promise.allSettled(checks.map((each) => each.check()));
  if (results.every(({ status }) => status === 'fulfilled')) return { status: 200, text: 'ok' };
  // Anybody may ask: why it failed is in the server's log.
  const lines = checks.map((check, index) =>
    results[index]?.status === 'fulfilled' ? `[+]${check.name} ok` : `[-]${check.name} failed: reason withheld`,
  );
  return { status: 500, text: `${[...lines, `${name} check failed`].join('\n')}\n` };
}
