// SPDX-License-Identifier: Apache-2.0
import { parentPort, workerData } from 'node:worker_threads';

/** Where the thread starts: this module, also when it is part of a bundle. */
export const program = import.meta.url;

/** Says to a thread that it is to parse YAML. */
export const role = 'parse YAML';

/** The answer of the thread: JSON, or why there is none. */
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
