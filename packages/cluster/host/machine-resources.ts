// SPDX-License-Identifier: Apache-2.0
import { availableParallelism, totalmem } from 'node:os';

/** The CPU and memory of this machine, as quantities. */
export function machineResources(): { cpu: string; memory: string } {
  return { cpu: String(availableParallelism()), memory: `${Math.floor(totalmem() / 1024)}Ki` };
}
