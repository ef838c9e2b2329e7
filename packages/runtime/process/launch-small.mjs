// SPDX-License-Identifier: Apache-2.0
import { fileURLToPath } from 'node:url';
import { launch } from './launch.mjs';

/** By default the young generation grows to 64 MiB, without benefit. */
const youngGeneration = '--max-semi-space-size=2';
/** One malloc arena instead of one per thread; freed memory is returned to the system, that of each TLS record at once. */
const environment = { MALLOC_ARENA_MAX: '1', MALLOC_TRIM_THRESHOLD_: '131072', MALLOC_MMAP_THRESHOLD_: '16384' };

/**
 * As `launch`, with settings that keep the memory of this process and of its children small, and further options of
 * Node. They are read at start, so the process executes itself again, with the same pid; not where an image has set them.
 */
export async function launchSmall(caller, program, nodeOptions = []) {
  const { env, execPath, platform, versions } = process;
  if (env.MALLOC_ARENA_MAX === undefined) {
    // The user's options come last and win.
    const options = [youngGeneration, ...nodeOptions, env.NODE_OPTIONS ?? ''];
    Object.assign(env, environment, { NODE_OPTIONS: options.join(' ').trim() });
    const canStartOver = Number(versions.node.split('.')[0]) >= 24 && platform !== 'win32' && !process.channel;
    if (canStartOver) process.execve(execPath, [execPath, fileURLToPath(caller), ...process.argv.slice(2)], env);
  }
  await launch(caller, program);
}
