// SPDX-License-Identifier: Apache-2.0
import type { Service } from '@forge/kube/kinds/builtin.ts';
import type { Random } from '@forge/runtime/environment/random.ts';
import type { CoreContext } from '../../resources/core-context.ts';

/** A free number in a range, searched from a random start. */
export function firstFree(random: Random, from: number, count: number, taken: (candidate: number) => boolean): number {
  const start = Math.floor(random.number() * count);
  for (let step = 0; step < count; step += 1) {
    const candidate = from + ((start + step) % count);
    if (!taken(candidate)) return candidate;
  }
  throw new Error(
    `no free address or port for the Service: all ${count} from ${from} on are allocated; delete a Service that is no longer used`,
  );
}

/** All services: their addresses and ports are allocated. */
export function allServices({ store }: CoreContext): Service[] {
  return [...store.current.objects.withPrefix('services/')].map(({ value }) => value as Service);
}
