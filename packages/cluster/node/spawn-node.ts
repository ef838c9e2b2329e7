// SPDX-License-Identifier: Apache-2.0
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import type { Duplex } from 'node:stream';
import { fileURLToPath } from 'node:url';
import type { LogEntry } from '@forge/runtime/observability/logger.ts';
import { createCgroup, removeCgroup } from '../host/cgroups.ts';
import { createOwnGroup, removeOwnGroup } from '../host/own-group.ts';
import type { ImageStore } from '../images/image-store.ts';
import type { FromNode, NodeSettings, ToNode } from './messages.ts';
import { dial } from './network/dial.ts';
import { nodeCommand } from './node-command.ts';
import { runFolders } from './run-folders.ts';

/** Options of a node; images are assembled in this process, because the node's network is isolated. */
interface NodeOptions extends Omit<NodeSettings, 'toolsRoot' | 'cgroup' | 'ownGroup'> {
  images: ImageStore;
  log: (line: LogEntry) => void;
  signal?: AbortSignal;
}

/** The exit of the node process, and the end of its stderr. */
interface NodeExit {
  code: number | null;
  stderrTail: string;
}

/** A running node. */
export interface NodeHandle {
  /** Connects to the name or address of a Service, or to a pod IP. */
  dial(host: string, port: number, signal?: AbortSignal): Promise<Duplex>;
  /** Stops the pods gracefully, then the node. */
  stop(): Promise<void>;
  readonly exited: Promise<NodeExit>;
}

const toolsImage = 'forge/tools';
const maxTail = 4096;

/** A node process that loads its program and then waits for its settings. */
export interface SpawnedNode {
  /** Starts the node; resolves when it accepts pods. */
  begin(options: NodeOptions): Promise<NodeHandle>;
  /** Kills the process, if it is still running. */
  kill(): void;
}

/**
 * Starts the process of a node in its own namespaces.
 *
 * Guarantees: nothing of it is left on the host when it exits or when this process exits, for whatever reason.
 */
export function spawnNode(): SpawnedNode {
  const [program = '', ...args] = nodeCommand([process.execPath, fileURLToPath(new URL('./main.ts', import.meta.url))]);
  // Detached: Ctrl+C in the terminal signals only this process, which then stops the node gracefully.
  const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe', 'ipc'], detached: true });
  const exited = exitOf(child);
  exited.catch(() => undefined); // reported by `begin`
  return {
    begin: (options) => beginNode(child, exited, options),
    kill: () => void child.kill('SIGKILL'),
  };
}

async function beginNode(child: ChildProcess, exited: Promise<NodeExit>, options: NodeOptions): Promise<NodeHandle> {
  const { images, log, signal, ...settings } = options;
  const kill = () => void child.kill('SIGKILL');
  const { memory, dialSocket } = runFolders(settings.runDir);
  const folders = [settings.runDir, memory, settings.volumesDir, settings.logsDir];
  await Promise.all(folders.map((path) => mkdir(path, { recursive: true, mode: 0o700 })));
  const { root: toolsRoot } = await images.ensure(toolsImage, {
    onProgress: (text) => logProgress(log, toolsImage, text),
  });
  signal?.throwIfAborted();
  const cgroup = await createCgroup(process.pid).catch((error: Error) => {
    const message = `CPU and memory of pods are not limited: ${error.message}`;
    log({ time: Date.now(), level: 'info', message, fields: {} });
    return undefined;
  });
  const ownGroup = cgroup && (await createOwnGroup(cgroup).catch(() => undefined));
  const removed = (async () => {
    await exited;
    if (ownGroup) await removeOwnGroup(ownGroup);
    if (cgroup) await removeCgroup(cgroup);
  })();
  removed.catch(() => undefined); // reported by `stop`
  signal?.addEventListener('abort', kill);
  const started = Promise.withResolvers<void>();

  child.on('message', (message: FromNode) => {
    switch (message.type) {
      case 'started':
        return started.resolve();
      case 'log':
        return log(message.entry);
      case 'needImage':
        return void answerImage(child, images, message, log);
    }
  });
  send(child, { type: 'begin', settings: { ...settings, toolsRoot, cgroup, ownGroup: ownGroup?.folder } });
  await Promise.race([
    started.promise,
    exited.then(({ code, stderrTail }) => {
      throw new Error(`The node process exited with ${code} before it was ready:\n${stderrTail}`);
    }),
  ]);

  return {
    dial: (...target) => dial(dialSocket, ...target),
    async stop() {
      send(child, { type: 'stop' });
      await removed;
      signal?.removeEventListener('abort', kill);
    },
    exited,
  };
}

async function answerImage(
  child: ChildProcess,
  images: ImageStore,
  { id, reference }: { id: number; reference: string },
  log: NodeOptions['log'],
): Promise<void> {
  try {
    let pulling = false;
    const onProgress = (text: string) => {
      if (!pulling) send(child, { type: 'pulling', id });
      pulling = true;
      logProgress(log, reference, text);
    };
    const image = await images.ensure(reference, { onProgress });
    send(child, { type: 'image', id, image });
  } catch (error) {
    send(child, { type: 'imageFailed', id, message: (error as Error).message });
  }
}

function logProgress(log: NodeOptions['log'], image: string, message: string): void {
  log({ time: Date.now(), level: 'info', message, fields: { image } });
}

function send(child: ChildProcess, message: ToNode): void {
  // A node that has exited needs no message; `exited` reports it.
  if (child.connected) child.send(message, () => {});
}

async function exitOf(child: ChildProcess): Promise<NodeExit> {
  let stderrTail = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    stderrTail = (stderrTail + chunk.toString()).slice(-maxTail);
  });
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, stderrTail };
}
