// SPDX-License-Identifier: Apache-2.0
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import type { ResourceRequirements } from '@forge/kube/generated/types.ts';
import type { Clock } from '@forge/runtime/environment/clock.ts';
import type { Cgroup } from '../../host/cgroups.ts';
import { withoutCapabilities, type Toolbox } from '../../host/toolbox.ts';
import { containerCgroup, noCgroup } from '../confinement/container-cgroup.ts';
import { aroundSandbox, insideContainer, type Launchers } from '../confinement/launchers.ts';
import { letOthersFirst } from '../confinement/let-others-first.ts';
import { limitProcesses } from '../confinement/limit-processes.ts';
import { execIn, type ExecResult } from '../exec/exec-in.ts';
import { startCommand } from '../exec/start-command.ts';
import { startTerminal } from '../exec/start-terminal.ts';
import type { StreamedCommand } from '../exec/streamed-command.ts';
import { recordLog, type ContainerLog, type OutputName } from '../logs/container-log.ts';
import { containerOutput, type ContainerOutput } from '../logs/container-output.ts';
import { composeRoot, ownFolder, removeOwnFolder } from '../mounts/compose-root.ts';
import { usedBytes } from '../mounts/tmpfs.ts';
import type { ContainerStorage } from '../volumes/storage-sizes.ts';
import { containerCommand, sandboxArguments, separatedByNul, type ContainerSpec } from './container-command.ts';
import { containerInput, type ContainerInput, type InputOptions } from './container-input.ts';
import { signalProcess, startSandbox } from './sandbox-process.ts';

/** How a container ended. */
export interface ContainerEnd {
  /** As in a shell: 128 plus the signal number when killed by a signal. */
  exitCode: number;
  finishedAt: number;
  /** False when the sandbox or the command could not be started; the end of the log explains why. */
  ran: boolean;
  /** Whether one of its processes was killed because its memory limit was reached. */
  outOfMemory?: boolean;
}

/** A started container. */
export interface RunningContainer extends ContainerInput {
  readonly id: string;
  readonly startedAt: number;
  readonly log: ContainerLog;
  /** Resolves when the last process has exited and the log is complete. */
  readonly ended: Promise<ContainerEnd>;
  signal(signal: NodeJS.Signals): void;
  /** What its writable layer and its /dev/shm occupy, in bytes. */
  usedStorage(): Promise<number>;
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
  storage: ContainerStorage;
  resources?: ResourceRequirements | undefined;
  /** How stdin and the terminal are set up. */
  inputOptions: InputOptions;
}

/** Runs containers. */
export interface ContainerRuntime {
  start(start: ContainerStart): Promise<RunningContainer>;
}

/** The exit code of a failed start, as with containerd. */
const startFailed = 128;

/** The dependencies of a container runtime. */
interface RuntimeOptions {
  tools: Toolbox;
  launchers: Launchers;
  /** Undefined when control groups cannot be used: then CPU and memory are not limited. */
  cgroup: Cgroup | undefined;
  clock: Clock;
}

/** Runs containers with bubblewrap; `folder` is on a tmpfs, so that writable layers are removed with the node. */
export function containerRuntime(
  folder: string,
  { tools, launchers, cgroup, clock }: RuntimeOptions,
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
    async start({ id, image, networkNamespace, logPath, spec, storage, resources, inputOptions }) {
      const own = join(folder, id);
      const options = separatedByNul(sandboxArguments(spec, { own, tools, launchers, ...storage }, inputOptions.tty));
      await ownFolder(own, storage.layer, tools);
      const { readers, writers, closeWriters } = await composeIn(own, { image, ...spec });

      const group = cgroup ? await containerCgroup(cgroup, id, resources) : noCgroup;
      const around = [aroundSandbox(launchers, spec.confined), ...tools.nsenter, `--net=${networkNamespace}`, '--'];
      const prefix = [...group.enter, ...around];
      const filter = spec.confined ? launchers.filter : undefined;
      const command = containerCommand(spec);
      const isLimited = cgroup?.folders.pids !== undefined;
      const limit = async (pid: number) => isLimited || limitProcesses(tools, pid);
      const sandbox = startSandbox({ tools, prefix, options, filter, command, inputOptions, writers, limit });
      const { child, exited, complete } = sandbox;
      await closeWriters();
      const input = containerInput(child, inputOptions);
      const log = await recordLog(logPath, readers, clock);
      const startedAt = clock.now();
      const ending = new AbortController();
      // Rejects when the container ends, or when the kernel has no groups in the background.
      if (group.measured) letOthersFirst(group.measured, { clock, signal: ending.signal }).catch(() => undefined);

      const end = async (): Promise<ContainerEnd> => {
        const [code] = await exited;
        const finishedAt = clock.now();
        ending.abort();
        await log.finished;
        await removeOwnFolder(own, tools);
        const outOfMemory = await group.wasOutOfMemory();
        await group.remove();
        // When bubblewrap fails, it exits with 1 and reports no exit code; when it is killed early, it exits with
        // another code.
        const ran = (await sandbox.end) !== undefined || code !== 1;
        return { exitCode: ran ? (code ?? 137) : startFailed, finishedAt, ran, outOfMemory };
      };
      const ended = end();
      const inside = [insideContainer(spec.confined), ...withoutCapabilities(spec.user)];
      // Commands in the container begin with nsenter.
      const entering = { ...tools, nsenter: [...group.enter, ...tools.nsenter] };
      const pid = await sandbox.pid;

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
        usedStorage: () =>
          usedBytes([
            [own, storage.layer],
            [`/proc/${pid}/root/dev/shm`, storage.sharedMemory],
          ]),
        async exec(words, timeout) {
          if (pid === undefined) throw new Error(`container ${id} has not started`);
          await complete;
          return execIn(entering, pid, [...inside, ...words], { env: spec.env, timeout, clock });
        },
        async run(words, streams) {
          if (pid === undefined) throw new Error(`container ${id} has not started`);
          await complete;
          const start = { tools: entering, pid, env: spec.env, command: [...inside, ...words], stdin: streams.stdin };
          return streams.tty ? startTerminal(start) : startCommand({ ...start, folder: join(folder, 'command-') });
        },
        outputs: readers,
        ...input,
      };
    },
  };
}
