// SPDX-License-Identifier: Apache-2.0
import type { ProcessContext } from '../scenario/scenario.ts';

/** The same calls, which wait for their turn and meet the outages of a plan; `follow` does so to what a call gives. */
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
