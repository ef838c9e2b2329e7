// SPDX-License-Identifier: Apache-2.0
import type { KubeObject } from '@forge/kube/object.ts';
import type { ServerContext } from '../server-context.ts';
import type { Write, WriteStep } from './write.ts';

/** Sends a write through steps, each of which sees what the one before gave. */
export async function through(steps: readonly WriteStep[], write: Write, server: ServerContext): Promise<KubeObject> {
  let current = write;
  for (const step of steps) {
    const given = step(current, server);
    const object = given instanceof Promise ? await given : given;
    if (object !== current.object) current = { ...current, object };
  }
  return current.object;
}
