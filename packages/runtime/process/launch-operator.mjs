// SPDX-License-Identifier: Apache-2.0
import { fileURLToPath } from 'node:url';
import { launch } from './launch.mjs';

/** By itself the young generation grows to 64 MiB, for no gain. */
const youngGeneration = '--max-semi-space-size=2';
/** Of the pod's memory limit; the rest is for what is not in the heap. */
const heapLimit = '--max-old-space-size-percentage=60';
/** One heap of the C library instead of one for each thread, and what is freed there goes back to the system. */
const environment = { MALLOC_ARENA_MAX: '1', MALLOC_TRIM_THRESHOLD_: '131072' };

/**
 * As `launch`, for an operator: with settings that keep its memory small, measured by `npm run bench -- operatorMemory`.
 * They are read when a process starts, so the process starts over, under the same id; not where an image has set them.
 */
export async function launchOperator(caller, program) {
  const { env, execPath, platform, versions } = process;
  if (env.MALLOC_ARENA_MAX === undefined) {
    const { NODE_OPTIONS: own = '' } = env;
    // What the user says comes last and wins; the percentage would win over any other limit.
    const flags = own.includes('--max-old-space-size') ? [youngGeneration] : [youngGeneration, heapLimit];
    Object.assign(env, environment, { NODE_OPTIONS: [...flags, own].join(' ') });
    const canStartOver = Number(versions.node.split('.')[0]) >= 24 && platform !== 'win32' && !process.channel;
    if (canStartOver) process.execve(execPath, [execPath, fileURLToPath(caller), ...process.argv.slice(2)], env);
  }
  await launch(caller, program);
}
