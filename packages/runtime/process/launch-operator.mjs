// SPDX-License-Identifier: Apache-2.0
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { launch } from './launch.mjs';

/** By default the young generation grows to 64 MiB, without benefit. */
const youngGeneration = '--max-semi-space-size=2';
/**
 * Not among those that NODE_OPTIONS may set: by how much the heap may grow until garbage is collected (by default it
 * doubles and more, most of it garbage), and that compiled code is chosen by its size.
 */
const v8Flags = ['--heap-growing-percent=25', '--optimize-for-size'];
/** Of the pod's memory limit; the rest is for memory outside of the heap. */
const heapLimit = '--max-old-space-size-percentage=60';
/** One malloc arena instead of one per thread; freed memory is returned to the system, that of each TLS record at once. */
const environment = { MALLOC_ARENA_MAX: '1', MALLOC_TRIM_THRESHOLD_: '131072', MALLOC_MMAP_THRESHOLD_: '16384' };

/**
 * As `launch`, for an operator: with settings that keep its memory small, measured by `npm run bench -- operatorMemory`.
 * They are read at start, so the process executes itself again, with the same pid; not where an image has set them.
 */
export async function launchOperator(caller, program) {
  const { env, execPath, platform, versions } = process;
  if (env.MALLOC_ARENA_MAX === undefined) {
    const { NODE_OPTIONS: own = '' } = env;
    // The user's options come last and win; the percentage would override any other limit.
    const flags = own.includes('--max-old-space-size') ? [youngGeneration] : [youngGeneration, heapLimit];
    Object.assign(env, environment, { NODE_OPTIONS: [...flags, own].join(' ') });
    const canStartOver = Number(versions.node.split('.')[0]) >= 24 && platform !== 'win32' && !process.channel;
    if (canStartOver) process.execve(execPath, [execPath, fileURLToPath(caller), ...process.argv.slice(2)], env);
  }
  for (const flag of v8Flags) setFlagsFromString(flag);
  await launch(caller, program);
}
