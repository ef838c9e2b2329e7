// SPDX-License-Identifier: Apache-2.0
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

const program = `
  const { module, name, args } = require('node:worker_threads').workerData;
  import(module).then((exported) => exported[name](...args));
`;

/**
 * Calls an exported function in a separate thread, for work with very many promises: the test runner tracks every promise of
 * its own thread, which costs as much as the work.
 */
export async function inWorker(module: URL, name: string, ...args: unknown[]): Promise<void> {
  const worker = new Worker(program, { eval: true, workerData: { module: module.href, name, args } });
  // Rejects with what the function throws.
  await once(worker, 'exit');
}
