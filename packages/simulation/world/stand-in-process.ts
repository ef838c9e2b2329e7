// SPDX-License-Identifier: Apache-2.0
import type { StandIn } from '@forge/cluster/stand-ins/stand-in.ts';
import type { Controller } from '@forge/runtime/controller/controller.ts';
import { sleep } from '@forge/runtime/environment/clock.ts';
import { milliseconds, now, seconds, type Duration } from '@forge/runtime/environment/duration.ts';
import { operatorProcess } from '../scenario/operator-process.ts';
import type { ProcessContext, Process } from '../scenario/scenario.ts';

/** The delay and failure of a stand-in; to make it unavailable, stop its process. */
export interface Condition {
  /** How long it waits before it acts on a change. */
  delay: Duration;
  /** The error of every reconciliation; undefined when it works. */
  failure: string | undefined;
}

/** A stand-in that works without delay. */
export function healthy(): Condition {
  return { delay: now, failure: undefined };
}

// Failed reconciliations are retried before the world is considered settled.
const maxBackoff = seconds(30);

/** The process of a stand-in; exempt from the faults of a plan when it is `reliable`. */
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
      const capped = { base: backoff.base, cap: milliseconds(Math.min(backoff.cap, maxBackoff)) };
      const conditioned = controllers.map((controller) => withCondition(condition, controller));
      return operatorProcess(host.name, () => conditioned, { backoff: capped }).start(host);
    },
  };
}

function withCondition(condition: Condition, controller: Controller): Controller {
  return {
    ...controller,
    async reconcile(ref, context) {
      if (condition.delay > now) await sleep(context.clock, condition.delay);
      if (condition.failure !== undefined) throw new Error(condition.failure);
      return await controller.reconcile(ref, context);
    },
  };
}
