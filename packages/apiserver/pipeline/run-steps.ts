// SPDX-License-Identifier: Apache-2.0
import type { KubeObject } from '@forge/kube/objects/object.ts';
import type { ServerContext } from '../context/server-context.ts';
import type { Write, WriteStep } from '../context/write.ts';

/** Runs a write through steps, each with the result of the previous one; synchronous unless a step is asynchronous. */
export function runSteps(
  steps: readonly WriteStep[],
  write: Write,
  server: ServerContext,
  from = 0,
): KubeObject | Promise<KubeObject> {
  let current = write;
  for (let at = from; at < steps.length; at += 1) {
    const given = (steps[at] as WriteStep)(current, server);
    if (given instanceof Promise) {
      const waiting = current;
      return given.then((object) => runSteps(steps, { ...waiting, object }, server, at + 1));
    }
    if (given !== current.object) current = { ...current, object: given };
  }
  return current.object;
}
