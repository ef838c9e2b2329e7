// SPDX-License-Identifier: Apache-2.0
import { setFlagsFromString } from 'node:v8';
import { launchSmall } from './launch-small.mjs';

/**
 * Not among those that NODE_OPTIONS may set: by how much the heap may grow until garbage is collected (by default it
 * doubles and more, most of it garbage), and that compiled code is chosen by its size.
 */
const v8Flags = ['--heap-growing-percent=25', '--optimize-for-size'];
/** Of the pod's memory limit; the rest is for memory outside of the heap. */
const heapLimit = '--max-old-space-size-percentage=60';

/** As `launchSmall`, for an operator: with further settings, measured by `npm run bench -- operatorMemory`. */
export async function launchOperator(caller, program) {
  for (const flag of v8Flags) setFlagsFromString(flag);
  // The percentage would override any other limit.
  const hasLimit = process.env.NODE_OPTIONS?.includes('--max-old-space-size');
  await launchSmall(caller, program, hasLimit ? [] : [heapLimit]);
}
