// SPDX-License-Identifier: Apache-2.0
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import type { Clock } from '@forge/runtime/time/clock.ts';
import { withoutCapabilities, type Toolbox } from '../../host/toolbox.ts';
import { execIn, type ExecResult } from '../exec/exec-in.ts';
import { startCommand } from '../exec/start-command.ts';
import { startTerminal } from '../exec/start-terminal.ts';
import type { StreamedCommand } from '../exec/streamed-command.ts';
import { atTerminal } from '../exec/terminal.ts';
import { recordLog, type ContainerLog, type OutputName } from '../logs/container-log.ts';
import { containerOutput, type ContainerOutput } from '../logs/container-output.ts';
import { composeRoot, ownFolder, removeOwnFolder } from '../mounts/compose-root.ts';
import { containerCommand, sandboxArguments, separatedByNul, type ContainerSpec } from './container-command.ts';
import {
  containerInput,
  stdinMode,
  terminalNameDescriptor,
  type ContainerInput,
  type InputOptions,
} from './container-input.ts';

/** How a container came to its end. */
export interface ContainerEnd {
  /** As a shell tells it: 128 and the signal's number when a signal ended the command. */
  exitCode: number;
  finishedAt: number;
  /** False when the sandbox could not be made or the command not be started; the log's end says why. */
  ran: boolean;
}

/** A container from its start until it is forgotten. */
export interface RunningContainer extends ContainerInput {
  readonly id: string;
  readonly startedAt: number;
  readonly log: ContainerLog;
  /** Settles when the last process is gone and the log complete. */
  readonly ended: Promise<ContainerEnd>;
  signal(signal: NodeJS.Signals): void;
  exec(command: readonly string[], timeout: number): Promise<ExecResult>;
  /** Starts a command for somebody to talk with, at a terminal when so wanted. */
  run(command: readonly string[], streams: { stdin: boolean; tty: boolean }): Promise<StreamedCommand>;
  /** What it writes, beside the log. */
  readonly outputs: Readonly<Record<OutputName, Readable>>;
}

/** What is started: where, from what image, with which settings. */
interface ContainerStart {
  id: string;
  /** The image's root folder. */
  image: string;
  networkNamespace: string;
  logPath: string;
  spec: ContainerSpec;
  /** What it reads from, rather than nothing, and whether at a terminal. */
  inputOptions: InputOptions;
}

/** Runs containers; `folder` lies in memory, so that what they write into their root is gone with them. */
export interface ContainerRuntime {
  start(start: ContainerStart): Promise<RunningContainer>;
}

/** What could not be started at all has this exit code, as containerd has it. */
const startFailed = 128;

/** Runs containers by bubblewrap. */
export function containerRuntime(folder: string, tools: Toolbox, clock: Clock): ContainerRuntime {
  /** What cannot be made leaves nothing behind. */
  async function composeIn(own: string, parts: Parameters<typeof composeRoot>[1]): Promise<ContainerOutput> {
    try {
      await composeRoot(own, parts, tools);
      return await containerOutput(own);
    } catch (error) {
      await removeOwnFolder(own, tools);
      throw error;
    }
  }

  return {
    async start({ id, image, networkNamespace, logPath, spec, inputOptions }) {
      const own = join(folder, id);
      const options = separatedByNul(sandboxArguments(spec, { own, tools }, inputOptions.tty));
      await ownFolder(own, tools);
      const { readers, writers, closeWriters } = await composeIn(own, { image, ...spec });

      // By a pipe: arguments show in the process list, and the environment holds secrets.
      const sandbox = [...tools.bwrap, '--json-status-fd', '3', '--args', '4', '--', ...containerCommand(spec)];
      const line = [...tools.nsenter, `--net=${networkNamespace}`, '--', ...sandbox];
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
        ],
      });
      const exited = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>;
      await closeWriters();
      const input = containerInput(child, inputOptions);
      const log = await recordLog(logPath, readers, clock);
      const status = sandboxStatus(child);
      (child.stdio[4] as Writable).end(options);
      const startedAt = clock.now();

      const end = async (): Promise<ContainerEnd> => {
        const [code] = await exited;
        const finishedAt = clock.now();
        await log.finished;
        await removeOwnFolder(own, tools);
        // Bubblewrap itself fails with 1 and tells no end; killed early it tells none either, but fails otherwise.
        const ran = (await status.end) !== undefined || code !== 1;
        return { exitCode: ran ? (code ?? 137) : startFailed, finishedAt, ran };
      };
      const ended = end();
      const prefix = withoutCapabilities(spec.user);
      const pid = await status.pid;

      return {
        id,
        startedAt,
        log,
        ended,
        signal(signal) {
          // Without the sandbox' first process there is only bubblewrap itself, which takes everything along.
          if (pid === undefined) child.kill('SIGKILL');
          else signalProcess(pid, signal);
        },
        exec(command, timeout) {
          if (pid === undefined) throw new Error(`container ${id} has not come to life`);
          return execIn(tools, pid, [...prefix, ...command], { env: spec.env, timeout, clock });
        },
        run(command, streams) {
          if (pid === undefined) throw new Error(`container ${id} has not come to life`);
          const start = { tools, pid, env: spec.env, command: [...prefix, ...command], stdin: streams.stdin };
          return streams.tty ? startTerminal(start) : startCommand({ ...start, folder: join(own, 'command-') });
        },
        outputs: readers,
        ...input,
      };
    },
  };
}

/** What bubblewrap tells: the number of the first process inside, and its end, if it came to life at all. */
function sandboxStatus(child: ChildProcess): { pid: Promise<number | undefined>; end: Promise<number | undefined> } {
  const pid = Promise.withResolvers<number | undefined>();
  let exitCode: number | undefined;
  const lines = createInterface({ input: child.stdio[3] as Readable });
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

function signalProcess(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    // It has just ended by itself.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
