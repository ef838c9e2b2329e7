// SPDX-License-Identifier: Apache-2.0
import type { StandIn } from '@forge/cluster/stand-ins/stand-in.ts';
import type { Controller } from '@forge/runtime/controller/controller.ts';
import { sleep } from '@forge/runtime/time/clock.ts';
import { milliseconds, now, seconds, type Duration } from '@forge/runtime/time/duration.ts';
import { operatorProcess } from '../scenario/operator-process.ts';
import type { ProcessContext, Process } from '../scenario/scenario.ts';

/** How well another operator does its work; to let it vanish, stop its process. */
export interface Condition {
  /** How long it takes before it acts on a change. */
  delay: Duration;
  /** Why it does nothing at all; undefined when it works. */
  failure: string | undefined;
}

/** One that works at once. */
export function healthy(): Condition {
  return { delay: now, failure: undefined };
}

// Who failed tries again before the world counts as settled.
const longestRest = seconds(30);

/** The process of a stand-in; faults of a plan meet it only when it is not `reliable`. */
export function standInProcess(
  name: string,
  standIn: (host: ProcessContext) => StandIn,
  condition: Condition,
  { reliable = true }: { reliable?: boolean } = {},
): Process {
  return {
    name,
    reliable,
    periodic: true,
    start(host) {
      const { controllers, backoff } = standIn(host);
      const capped = { base: backoff.base, cap: milliseconds(Math.min(backoff.cap, longestRest)) };
      const conditioned = controllers.map((controller) => under(condition, controller));
      return operatorProcess(host.name, () => conditioned, { backoff: capped }).start(host);
    },
  };
}

function under(condition: Condition, controller: Controller): Controller {
  return {
    ...controller,
    async reconcile(ref, context) {
      if (condition.delay > now) await sleep(context.clock, condition.delay);
      if (condition.failure !== undefined) throw new Error(condition.failure);
      return await controller.reconcile(ref, context);
    },
  };
}
