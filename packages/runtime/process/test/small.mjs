// SPDX-License-Identifier: Apache-2.0
// Tells how it runs.
import { getHeapStatistics } from 'node:v8';
import { launchOperator } from '../launch-operator.mjs';

await launchOperator(import.meta.url, async () => {
  const { NODE_OPTIONS: options, MALLOC_ARENA_MAX: arenas, MALLOC_MMAP_THRESHOLD_: mapped } = process.env;
  const args = process.argv.slice(2);
  const { heap_size_limit: limit } = getHeapStatistics();
  console.log(JSON.stringify({ pid: process.pid, args, options, arenas, mapped, limit }));
});
