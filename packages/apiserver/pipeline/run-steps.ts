// SPDX-License-Identifier: Apache-2.0
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { KubeObject } from '@forge/kube/objects/object.ts';
import type { ServerContext } from '../request/server-context.ts';
import type { Write, WriteStep } from '../request/write.ts';

/**
 * Runs a write through steps, each with the result of the previous one; synchronous unless a step is asynchronous. The
 * object of an asynchronous step is one that webhooks have changed: it may be of any size.
 */
export function runSteps(
  steps: readonly WriteStep[],
  write: Write,
  server: ServerContext,
  from = 0,
): KubeObject | Promise<KubeObject> {
  if (write.isLarge) return runStepsInTurns(steps.slice(from), write, server);
  let current = write;
  for (let at = from; at < steps.length; at += 1) {
    const given = (steps[at] as WriteStep)(current, server);
    if (given instanceof Promise) {
      const waiting = current;
      return given.then((object) => {
        const isLarge = waiting.isRemote && object !== waiting.object;
        return runSteps(steps, { ...waiting, object, isLarge }, server, at + 1);
      });
    }
    if (given !== current.object) current = { ...current, object: given };
  }
  return current.object;
}

/** Like `runSteps`, but each step runs in its own turn of the event loop. */
async function runStepsInTurns(steps: readonly WriteStep[], write: Write, server: ServerContext): Promise<KubeObject> {
  let current = write;
  for (const step of steps) {
    current = { ...current, object: await step(current, server) };
    await nextTurn();
  }
  return current.object;
}
