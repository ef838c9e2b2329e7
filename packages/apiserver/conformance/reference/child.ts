// SPDX-License-Identifier: Apache-2.0
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

/** A program that runs until it is stopped. */
export interface Child {
  /** Why it has exited, with its last output; undefined while it runs. */
  ended(): string | undefined;
  stop(): Promise<void>;
}

/** Starts a program, with an optional callback per output line. */
export function startChild(program: string, args: readonly string[], onLine?: (line: string) => void): Child {
  // The kernel kills it when this process exits, for whatever reason.
  const command = ['--pdeathsig', 'KILL', '--', program, ...args];
  const child = spawn('setpriv', command, { stdio: ['ignore', 'ignore', 'pipe'] });
  const closed = once(child, 'close');
  let lastOutput = '';
  createInterface(child.stderr).on('line', (line) => {
    lastOutput = `${lastOutput}${line}\n`.slice(-4000);
    onLine?.(line);
  });
  return {
    ended: () =>
      child.exitCode === null && child.signalCode === null ? undefined : `${program} ended:\n${lastOutput}`,
    async stop() {
      child.kill('SIGKILL');
      await closed;
    },
  };
}
