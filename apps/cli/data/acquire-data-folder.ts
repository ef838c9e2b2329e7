// SPDX-License-Identifier: Apache-2.0
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { CliError } from '../terminal/cli-error.ts';
import { exitCodes } from '../terminal/exit-code.ts';
import { runFolderOf } from './data-folder.ts';

/** The process that holds a data folder. */
interface ForgeProcess {
  pid: number;
  dir: string;
  /** The stand-ins that it runs. */
  standIns?: readonly string[];
}

const socketOf = (directory: string) => join(runFolderOf(directory), 'control.sock');

/**
 * Acquires the data folder for this process, or throws when another process holds it. Until disposed, a control socket
 * responds to `who` with this process, and to `down` by calling `onDown`; that connection closes once this process has
 * stopped.
 */
export async function acquireDataFolder(self: ForgeProcess, onDown: () => void): Promise<AsyncDisposable> {
  const path = socketOf(self.dir);
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    open.add(socket);
    socket.on('close', () => open.delete(socket)).on('error', () => socket.destroy());
    socket.once('data', (request) => {
      socket.write(`${JSON.stringify(self)}\n`);
      if (request.toString().trim() === 'down') onDown();
      else socket.end();
    });
  });
  try {
    await listen(server, path);
  } catch {
    const running = await ask(self.dir, 'who');
    if (running !== undefined) throw alreadyRunning(running);
    await rm(path, { force: true }); // left over from a killed process
    await listen(server, path);
  }
  return {
    async [Symbol.asyncDispose]() {
      for (const socket of open) socket.end();
      server.close();
      await rm(path, { force: true });
    },
  };
}

/** The process that holds this data folder; undefined when there is none. */
export async function findForge(directory: string): Promise<ForgeProcess | undefined> {
  return ask(directory, 'who');
}

/** Asks the process that holds this data folder to stop, and resolves when it has; undefined when there is none. */
export async function stopForge(directory: string): Promise<ForgeProcess | undefined> {
  return ask(directory, 'down');
}

async function listen(server: Server, path: string): Promise<void> {
  server.listen(path);
  await once(server, 'listening');
}

function alreadyRunning({ pid, dir }: ForgeProcess): CliError {
  return new CliError(
    `A forge (process ${pid}) is already running on ${dir}. Use it, stop it (forge down, or "kill ${pid}"), ` +
      'or start another one with --data.',
    exitCodes.running.code,
  );
}

async function ask(directory: string, request: 'who' | 'down'): Promise<ForgeProcess | undefined> {
  const socket = connect(socketOf(directory));
  try {
    await once(socket, 'connect');
  } catch {
    return undefined; // no listener: not running, or left over from a killed process
  }
  socket.write(`${request}\n`);
  let answer = '';
  try {
    for await (const chunk of socket) answer += String(chunk);
  } catch {
    // The process was killed during the query.
  }
  return answer.endsWith('\n') ? (JSON.parse(answer) as ForgeProcess) : undefined;
}
