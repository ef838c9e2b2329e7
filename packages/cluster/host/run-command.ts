// SPDX-License-Identifier: Apache-2.0
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';

/** A program that failed; the message contains the end of its output. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
  readonly stdout: string;
  constructor(name: string, outcome: string, stdout: string, stderr: string) {
    super(`${name} failed with ${outcome}: ${tailOf(stderr || stdout)}`);
    this.stdout = stdout;
  }
}

/** How a program is run. */
export interface RunOptions {
  /** Its name in errors; by default the first two words of the command. */
  name?: string;
  cwd?: string;
  env?: NodeJS.ProcessEnv;
  signal?: AbortSignal | undefined;
  /** Inherited file descriptors: 3, 4, … */
  descriptors?: readonly number[];
}

/** Runs a program and returns its output; throws {@link CommandError} when it fails. */
export async function runCommand(
  command: readonly string[],
  { name, descriptors = [], ...options }: RunOptions = {},
): Promise<string> {
  const [program = '', ...args] = command;
  const stdio = ['ignore', 'pipe', 'pipe', ...descriptors] as ['ignore', 'pipe', 'pipe'];
  const child = spawn(program, args, { ...options, stdio });
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  if (child.exitCode === 0) return stdout;
  const outcome = child.signalCode ?? `exit code ${child.exitCode}`;
  throw new CommandError(name ?? command.slice(0, 2).join(' '), outcome, stdout, stderr);
}

function tailOf(output: string): string {
  return output.trim().split('\n').slice(-8).join('\n') || 'no output';
}
