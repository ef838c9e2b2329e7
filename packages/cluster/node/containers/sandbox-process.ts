// SPDX-License-Identifier: Apache-2.0
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Duplex, Readable, Writable } from 'node:stream';
import type { Toolbox } from '../../host/toolbox.ts';
import { atTerminal } from '../exec/terminal.ts';
import type { ContainerOutput } from '../logs/container-output.ts';
import { stdinMode, terminalNameDescriptor, type InputOptions } from './container-input.ts';

/** The descriptors of bubblewrap, besides those of the command and {@link terminalNameDescriptor}. */
const descriptors = { status: 3, options: 4, filter: 6, gate: 7 } as const;

/** How a sandbox is started. */
interface SandboxStart {
  tools: Toolbox;
  /** The command that starts bubblewrap. */
  prefix: readonly string[];
  /**
   * The options of bubblewrap, sent through a pipe: they contain secrets, and arguments are visible in the process
   * list.
   */
  options: string;
  filter: Buffer | undefined;
  command: readonly string[];
  inputOptions: InputOptions;
  writers: ContainerOutput['writers'];
  /** Called with the first process of the sandbox, before it executes the command. */
  limit: (pid: number) => Promise<unknown>;
}

/** A sandbox with its command. */
export interface SandboxProcess {
  child: ChildProcess;
  exited: Promise<[number | null, NodeJS.Signals | null]>;
  /** The first process inside; undefined when it could not be started. */
  pid: Promise<number | undefined>;
  /** Resolves when the sandbox is complete, so that other commands can enter it. */
  complete: Promise<unknown>;
  /** The exit code of the command; undefined when it could not be started. */
  end: Promise<number | undefined>;
}

/** Starts a command in a sandbox of bubblewrap. */
export function startSandbox(start: SandboxStart): SandboxProcess {
  const { tools, options, filter, inputOptions, writers } = start;
  const { status, gate } = descriptors;
  const numbers = { '--json-status-fd': status, '--args': descriptors.options, '--block-fd': gate };
  const words = Object.entries(filter ? { ...numbers, '--seccomp': descriptors.filter } : numbers).flat();
  const line = [...start.prefix, ...tools.bwrap, ...words.map(String), '--', ...start.command];
  const [program = '', ...args] = inputOptions.tty === true ? atTerminal(line, terminalNameDescriptor) : line;
  const child = spawn(program, args, {
    env: {},
    stdio: [
      stdinMode(inputOptions),
      writers.stdout,
      writers.stderr,
      'pipe',
      'pipe',
      inputOptions.tty === true ? 'pipe' : 'ignore',
      filter ? 'pipe' : 'ignore',
      'pipe',
    ],
  });
  // A sandbox that is killed early resets pipes that it has not read; `exited` reports that it was killed.
  for (const stream of Object.values(descriptors)) child.stdio.at(stream)?.on('error', () => {});
  const exited = once(child, 'exit') as SandboxProcess['exited'];
  (child.stdio.at(descriptors.options) as Writable).end(options);
  if (filter) (child.stdio.at(descriptors.filter) as Writable).end(filter);
  const reported = sandboxStatus(child.stdio.at(status) as Readable);
  return { child, exited, ...reported, complete: passGate(start, reported.pid, child.stdio.at(gate) as Duplex) };
}

/** Lets the sandbox execute the command only after its limits are set; the sandbox then closes the gate. */
async function passGate({ limit, inputOptions }: SandboxStart, pid: SandboxProcess['pid'], gate: Duplex) {
  const closed = new Promise((resolve) => gate.resume().once('close', resolve));
  const first = await pid;
  if (first !== undefined) await limit(first).catch(() => signalProcess(first, 'SIGKILL'));
  gate.write('.');
  // The program that provides a terminal keeps it open.
  if (inputOptions.tty !== true) await closed;
}

/** The status reports of bubblewrap: the pid of the first process inside, and its exit code if it started. */
function sandboxStatus(input: Readable): Pick<SandboxProcess, 'pid' | 'end'> {
  const pid = Promise.withResolvers<number | undefined>();
  let exitCode: number | undefined;
  const lines = createInterface({ input });
  lines.on('line', (line) => {
    const status = JSON.parse(line) as { 'child-pid'?: number; 'exit-code'?: number };
    if (status['child-pid'] !== undefined) pid.resolve(status['child-pid']);
    exitCode = status['exit-code'] ?? exitCode;
  });
  const end = once(lines, 'close').then(() => {
    pid.resolve(undefined);
    return exitCode;
  });
  return { pid: pid.promise, end };
}

/** Sends a signal to a process, if it still exists. */
export function signalProcess(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    // It has already exited.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
