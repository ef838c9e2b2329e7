// SPDX-License-Identifier: Apache-2.0
import type { ProcessContext } from '../scenario/scenario.ts';

/** The same calls, but scheduled and subject to the outages of a plan; `follow` wraps the result of a call. */
export function outsideCalls<T extends object>(
  host: ProcessContext,
  system: string,
  calls: T,
  follow: (answer: unknown) => unknown = (answer) => answer,
): T {
  const entries = Object.entries(calls as Record<string, (...args: unknown[]) => unknown>);
  const wrapped = entries.map(([name, call]) => [
    name,
    async (...args: unknown[]) => follow(await host.outside(system, () => call(...args))),
  ]);
  return Object.fromEntries(wrapped) as T;
}
