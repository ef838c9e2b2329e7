// SPDX-License-Identifier: Apache-2.0
// Tells how it runs.
import { getHeapStatistics } from 'node:v8';
import { launchOperator } from '../launch-operator.mjs';

await launchOperator(import.meta.url, async () => {
  const { NODE_OPTIONS: options, MALLOC_ARENA_MAX: arenas } = process.env;
  const args = process.argv.slice(2);
  console.log(JSON.stringify({ pid: process.pid, args, options, arenas, limit: getHeapStatistics().heap_size_limit }));
});
