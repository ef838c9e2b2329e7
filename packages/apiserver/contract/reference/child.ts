// SPDX-License-Identifier: Apache-2.0
import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** A program that runs until it is stopped. */
export interface Child {
  /** Why it has ended, with its last words; undefined while it runs. */
  ended(): string | undefined;
  stop(): Promise<void>;
}

/** Starts a program. */
export function startChild(program: string, args: readonly string[]): Child {
  const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  const closed = once(child, 'close');
  let lastWords = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    lastWords = (lastWords + text).slice(-4000);
  });
  return {
    ended: () => (child.exitCode === null && child.signalCode === null ? undefined : `${program} ended:\n${lastWords}`),
    async stop() {
      child.kill('SIGKILL');
      await closed;
    },
  };
}
