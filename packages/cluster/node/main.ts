// SPDX-License-Identifier: Apache-2.0
import { systemClock } from '@forge/runtime/environment/clock.ts';
import { systemRandom } from '@forge/runtime/environment/random.ts';
import { jsonLine, logger, type LogEntry } from '@forge/runtime/observability/logger.ts';
import type { AssembledImage } from '../images/image-store.ts';
import type { FromNode, ToNode } from './messages.ts';
import { runNode } from './node-process.ts';

// The process inside the namespaces. It exits when the IPC channel to the forge process closes.
process.on('disconnect', () => process.exit(1));
// Signals are handled by the forge process, which sends `stop`.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});

const images = new Map<number, PromiseWithResolvers<AssembledImage> & { onPulling: () => void }>();
let asked = 0;
let node: { stop(): Promise<void> } | undefined;

function send(message: FromNode): void {
  process.send?.(message);
}

/** Asks the forge process, which assembles images, and waits for its answer: `receive` gets it. */
function requestImage(reference: string, onPulling: () => void): Promise<AssembledImage> {
  const answer = Promise.withResolvers<AssembledImage>();
  const id = asked++;
  images.set(id, { ...answer, onPulling });
  send({ type: 'needImage', id, reference });
  return answer.promise.finally(() => images.delete(id));
}

/** A serializable entry: errors become text. */
function portable(entry: LogEntry): LogEntry {
  const { time: _, level, message, ...fields } = JSON.parse(jsonLine(entry)) as LogEntry;
  return { time: entry.time, level, message, fields: { ...fields } };
}

async function receive(message: ToNode): Promise<void> {
  switch (message.type) {
    case 'begin': {
      const log = logger({ clock: systemClock, write: (entry) => send({ type: 'log', entry: portable(entry) }) });
      node = await runNode(message.settings, { clock: systemClock, random: systemRandom, log, requestImage });
      return send({ type: 'started' });
    }
    case 'pulling':
      return images.get(message.id)?.onPulling();
    case 'image':
      return images.get(message.id)?.resolve(message.image);
    case 'imageFailed':
      return images.get(message.id)?.reject(new Error(message.message));
    case 'stop':
      await node?.stop();
      return process.exit(0);
  }
}

process.on('message', (message: ToNode) => {
  void receive(message).catch((error: Error) => {
    process.stderr.write(`${error.stack}\n`, () => process.exit(1));
  });
});
