// SPDX-License-Identifier: Apache-2.0
import { namespaceLifecycle } from './namespace-lifecycle.ts';
import { podPlacement } from './pod-placement.ts';
import type { WriteStep } from './write.ts';

/** The gates of admission: each gives the object as it may go on, perhaps changed, or throws a refusal. */
const gates: readonly WriteStep[] = [namespaceLifecycle, podPlacement];

/** Sends the write through every gate, in the order of the list. */
export const admit: WriteStep = async (write, server) => {
  let { object } = write;
  for (const gate of gates) object = await gate({ ...write, object }, server);
  return object;
};
