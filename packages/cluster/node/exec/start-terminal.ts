// SPDX-License-Identifier: Apache-2.0
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { enterContainer, innerEnvironment } from './enter-container.ts';
import { exitCodeOf } from './exit-code.ts';
import type { CommandStart, StreamedCommand } from './streamed-command.ts';
import { atTerminal, terminalSizer } from './terminal.ts';

/** Starts a command inside a container, as its user, with its own terminal. */
export async function startTerminal({
  tools,
  pid,
  env,
  command,
  stdin,
}: Omit<CommandStart, 'folder'>): Promise<StreamedCommand> {
  const session = atTerminal(enterContainer(tools, pid, ['user', 'mount', 'net', 'ipc', 'uts'], command), 3);
  // The terminal's child enters the container's pid namespace directly: a process in between would be killed by the
  // first Ctrl+C.
  const [program = '', ...args] = [...tools.nsenter, '--target', String(pid), '--pid', '--no-fork', '--', ...session];
  const child = spawn(program, args, {
    env: { TERM: 'xterm', ...innerEnvironment(env) },
    stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
    detached: true,
  });
  const { stdin: keyboard, stdout } = child;
  // An ended command accepts no input.
  keyboard.on('error', () => {});
  const end = async () => {
    const [failure, [code, signal]] = await Promise.all([text(child.stderr), once(child, 'close')]);
    // The command's output comes through the terminal: this is an error of the programs that start it.
    if (failure !== '') throw new Error(failure.trim());
    return exitCodeOf(code as number | null, signal as NodeJS.Signals | null);
  };
  return {
    stdin: stdin ? keyboard : undefined,
    stdout,
    stderr: undefined,
    resize: terminalSizer(child.stdio[3] as Readable),
    ended: end(),
    kill() {
      // Closing the terminal sends SIGHUP to its processes.
      child.kill('SIGKILL');
    },
  };
}
