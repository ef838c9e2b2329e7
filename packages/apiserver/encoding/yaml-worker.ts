// SPDX-License-Identifier: Apache-2.0
import { parentPort, workerData } from 'node:worker_threads';

/** Entry point of the thread: this module, or the bundle that contains it. */
export const program = import.meta.url;

/** The workerData of a thread that parses YAML. */
export const role = 'parse YAML';

/** The result of parsing: JSON, or the error message. */
export type Parsed = { readonly json: Uint8Array<ArrayBuffer> } | { readonly problem: string };

if (workerData === role) {
  const { yamlToJson } = await import('./yaml-document.ts');
  const parsed = (bytes: Uint8Array): Parsed => {
    try {
      return { json: new TextEncoder().encode(yamlToJson(Buffer.from(bytes).toString())) };
    } catch (error) {
      return { problem: (error as Error).message };
    }
  };
  parentPort?.on('message', (bytes: Uint8Array) => {
    const answer = parsed(bytes);
    parentPort?.postMessage(answer, 'json' in answer ? [answer.json.buffer] : []);
  });
}
