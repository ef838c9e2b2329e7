// SPDX-License-Identifier: Apache-2.0
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { CliError, exitCode } from '../terminal/cli-error.ts';
import { runFolderOf } from './data-folder.ts';

/** What a running forge says of itself. */
interface ForgeProcess {
  pid: number;
  dir: string;
}

const socketOf = (directory: string) => join(runFolderOf(directory), 'control.sock');

/**
 * Takes the data folder for this process; refuses when another one has it. From then on answers `who` with who we
 * are, and `down` by asking us to stop; that connection closes when we are gone.
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
    await rm(path, { force: true }); // left behind by a killed process
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

/** Asks the forge on this data folder to stop and resolves when it has; undefined when none runs. */
export async function stopForge(directory: string): Promise<ForgeProcess | undefined> {
  return ask(directory, 'down');
}

async function listen(server: Server, path: string): Promise<void> {
  server.listen(path);
  await once(server, 'listening');
}

function alreadyRunning({ pid, dir }: ForgeProcess): CliError {
  return new CliError(
    `A forge (process ${pid}) is already running on ${dir}. Use it, stop it with "kill ${pid}", ` +
      'or start another one with --data.',
    exitCode.running,
  );
}

async function ask(directory: string, request: 'who' | 'down'): Promise<ForgeProcess | undefined> {
  const socket = connect(socketOf(directory));
  try {
    await once(socket, 'connect');
  } catch {
    return undefined; // nobody listens: not there, or left behind by a killed process
  }
  socket.write(`${request}\n`);
  let answer = '';
  try {
    for await (const chunk of socket) answer += String(chunk);
  } catch {
    // It was killed while we asked.
  }
  return answer.endsWith('\n') ? (JSON.parse(answer) as ForgeProcess) : undefined;
}
