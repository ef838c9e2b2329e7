// SPDX-License-Identifier: Apache-2.0
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { finished } from 'node:stream/promises';
import { containerOutput } from '../logs/container-output.ts';
import { allNamespaces, enterContainer, innerEnvironment } from './enter-container.ts';
import { exitCodeOf } from './exit-code.ts';
import { killGroup } from './kill-group.ts';
import type { CommandStart, StreamedCommand } from './streamed-command.ts';

/** Starts a command inside a container, as its user, with pipes for its streams. */
export async function startCommand(start: CommandStart): Promise<StreamedCommand> {
  const { tools, pid, env, command } = start;
  const folder = await mkdtemp(start.folder);
  const output = await containerOutput(folder);
  const [program = '', ...args] = enterContainer(tools, pid, allNamespaces, command);
  const child = spawn(program, args, {
    env: innerEnvironment(env),
    stdio: [start.stdin ? 'pipe' : 'ignore', output.writers.stdout, output.writers.stderr],
    detached: true,
  });
  const exited = once(child, 'exit');
  // An ended command accepts no input.
  child.stdin?.on('error', () => {});
  await Promise.all([output.closeWriters(), rm(folder, { recursive: true })]);
  const end = async () => {
    const [code, signal] = (await exited) as [number | null, NodeJS.Signals | null];
    await Promise.allSettled(Object.values(output.readers).map((reader) => finished(reader)));
    return exitCodeOf(code, signal);
  };
  return {
    stdin: child.stdin ?? undefined,
    ...output.readers,
    resize() {},
    ended: end(),
    kill() {
      if (child.exitCode === null && child.signalCode === null) killGroup(child);
    },
  };
}
