// SPDX-License-Identifier: Apache-2.0
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import type { Clock } from '@forge/runtime/time/clock.ts';
import { withoutCapabilities, type Toolbox } from '../../host/toolbox.ts';
import { aroundSandbox, insideContainer, type Launchers } from '../confinement/launchers.ts';
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

/** How a container ended. */
export interface ContainerEnd {
  /** As in a shell: 128 plus the signal number when killed by a signal. */
  exitCode: number;
  finishedAt: number;
  /** False when the sandbox or the command could not be started; the end of the log explains why. */
  ran: boolean;
}

/** A started container. */
export interface RunningContainer extends ContainerInput {
  readonly id: string;
  readonly startedAt: number;
  readonly log: ContainerLog;
  /** Resolves when the last process has exited and the log is complete. */
  readonly ended: Promise<ContainerEnd>;
  signal(signal: NodeJS.Signals): void;
  exec(command: readonly string[], timeout: number): Promise<ExecResult>;
  /** Starts a streamed command, with a terminal if requested. */
  run(command: readonly string[], streams: { stdin: boolean; tty: boolean }): Promise<StreamedCommand>;
  /** Its output, in addition to the log. */
  readonly outputs: Readonly<Record<OutputName, Readable>>;
}

/** The options of a container start. */
interface ContainerStart {
  id: string;
  /** The image's root folder. */
  image: string;
  networkNamespace: string;
  logPath: string;
  spec: ContainerSpec;
  /** How stdin and the terminal are set up. */
  inputOptions: InputOptions;
}

/** Runs containers. */
export interface ContainerRuntime {
  start(start: ContainerStart): Promise<RunningContainer>;
}

/** The exit code of a failed start, as with containerd. */
const startFailed = 128;

/** Runs containers with bubblewrap; `folder` is on a tmpfs, so that writable layers vanish with the node. */
export function containerRuntime(
  folder: string,
  { tools, launchers, clock }: { tools: Toolbox; launchers: Launchers; clock: Clock },
): ContainerRuntime {
  /** Composes the root and opens the output pipes; cleans up on failure. */
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
      const options = separatedByNul(sandboxArguments(spec, { own, tools, launchers }, inputOptions.tty));
      await ownFolder(own, tools);
      const { readers, writers, closeWriters } = await composeIn(own, { image, ...spec });

      // Through a pipe: arguments are visible in the process list, and the environment holds secrets.
      const filter = spec.confined ? ['--seccomp', '6'] : [];
      const sandbox = [
        ...tools.bwrap,
        '--json-status-fd',
        '3',
        '--args',
        '4',
        ...filter,
        '--',
        ...containerCommand(spec),
      ];
      const line = [
        aroundSandbox(launchers, spec.confined),
        ...tools.nsenter,
        `--net=${networkNamespace}`,
        '--',
        ...sandbox,
      ];
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
          spec.confined ? 'pipe' : 'ignore',
        ],
      });
      const exited = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>;
      await closeWriters();
      const input = containerInput(child, inputOptions);
      const log = await recordLog(logPath, readers, clock);
      const status = sandboxStatus(child);
      (child.stdio[4] as Writable).end(options);
      if (spec.confined) (child.stdio.at(6) as Writable).end(launchers.filter);
      const startedAt = clock.now();

      const end = async (): Promise<ContainerEnd> => {
        const [code] = await exited;
        const finishedAt = clock.now();
        await log.finished;
        await removeOwnFolder(own, tools);
        // A failed bubblewrap exits with 1 and reports no exit code; killed early it reports none either, but exits
        // with another code.
        const ran = (await status.end) !== undefined || code !== 1;
        return { exitCode: ran ? (code ?? 137) : startFailed, finishedAt, ran };
      };
      const ended = end();
      const prefix = [insideContainer(spec.confined), ...withoutCapabilities(spec.user)];
      const pid = await status.pid;

      return {
        id,
        startedAt,
        log,
        ended,
        signal(signal) {
          // Before the sandbox has a first process, kill bubblewrap itself.
          if (pid === undefined) child.kill('SIGKILL');
          else signalProcess(pid, signal);
        },
        exec(command, timeout) {
          if (pid === undefined) throw new Error(`container ${id} has not started`);
          return execIn(tools, pid, [...prefix, ...command], { env: spec.env, timeout, clock });
        },
        run(command, streams) {
          if (pid === undefined) throw new Error(`container ${id} has not started`);
          const start = { tools, pid, env: spec.env, command: [...prefix, ...command], stdin: streams.stdin };
          return streams.tty ? startTerminal(start) : startCommand({ ...start, folder: join(own, 'command-') });
        },
        outputs: readers,
        ...input,
      };
    },
  };
}

/** The status reports of bubblewrap: the pid of the first process inside, and its exit code if it started. */
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
    // It has already exited.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
