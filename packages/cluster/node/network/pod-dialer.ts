// SPDX-License-Identifier: Apache-2.0
import { spawn, type ChildProcess } from 'node:child_process';
import type { Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import type { Toolbox } from '../../host/toolbox.ts';
import type { DialAnswer, DialRequest } from './pod-dialer-process.ts';

/** Opens connections to a pod's loopback. */
export interface PodDialer {
  dial(port: number): Promise<Socket>;
  close(): void;
}

/**
 * A dialer inside a pod's network namespace.
 *
 * A connection belongs to the namespace in which it was opened. So a process in that namespace opens it and sends it to
 * this process; it starts on first use, and ends with the dialer.
 */
export function podDialer(tools: Toolbox, networkNamespace: string): PodDialer {
  const waiting = new Map<number, PromiseWithResolvers<Socket>>();
  let asked = 0;
  let child: ChildProcess | undefined;

  function start(): ChildProcess {
    const main = fileURLToPath(new URL('./pod-dialer-process.ts', import.meta.url));
    const command = [...tools.nsenter, `--net=${networkNamespace}`, '--', process.execPath, main];
    const [program = '', ...args] = command;
    const started = spawn(program, args, { stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
    started.on('message', ({ id, problem }: DialAnswer, socket?: Socket) => {
      const answer = waiting.get(id);
      waiting.delete(id);
      if (socket === undefined) return answer?.reject(new Error(problem));
      socket.allowHalfOpen = true;
      answer?.resolve(socket);
    });
    // Each request that cannot be sent, because the process is exiting, is a separate error.
    started.on('error', (error) => rejectAll(started, error));
    started.once('exit', () => rejectAll(started, new Error('the dialer process in the pod’s network has exited')));
    return started;
  }

  function rejectAll(failed: ChildProcess, error: Error): void {
    if (failed !== child) return;
    for (const { reject } of waiting.values()) reject(error);
    waiting.clear();
    child = undefined;
  }

  return {
    dial(port) {
      child ??= start();
      const id = asked++;
      const answer = Promise.withResolvers<Socket>();
      waiting.set(id, answer);
      child.send({ id, port } satisfies DialRequest);
      return answer.promise;
    },
    close() {
      child?.disconnect();
    },
  };
}
