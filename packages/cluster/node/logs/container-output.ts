// SPDX-License-Identifier: Apache-2.0
import { close, constants, open } from 'node:fs';
import { Socket } from 'node:net';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { runCommand } from '../../host/run-command.ts';
import type { OutputName } from './container-log.ts';

/** The pipes of a container's outputs: the ends that it writes to, and those that the node reads. */
export interface ContainerOutput {
  /** File descriptors for the container's process. */
  writers: Readonly<Record<OutputName, number>>;
  readers: Readonly<Record<OutputName, Readable>>;
  /** Closes the node's copies: the readers end when no other process has one. */
  closeWriters: () => Promise<void>;
}

/**
 * Creates the pipes for a container's outputs in a folder.
 *
 * They are named pipes: Node's own are sockets, which a program cannot open as /dev/stdout.
 */
export async function containerOutput(folder: string): Promise<ContainerOutput> {
  const paths = { stdout: join(folder, 'stdout'), stderr: join(folder, 'stderr') };
  await runCommand(['mkfifo', paths.stdout, paths.stderr]);
  const [stdout, stderr] = await Promise.all([openPipe(paths.stdout), openPipe(paths.stderr)]);
  return {
    writers: { stdout: stdout.writer, stderr: stderr.writer },
    readers: { stdout: stdout.reader, stderr: stderr.reader },
    closeWriters: async () => {
      await Promise.all([closeFile(stdout.writer), closeFile(stderr.writer)]);
    },
  };
}

// Not FileHandles: they would close the descriptor that the socket owns.
const openFile = promisify(open);
const closeFile = promisify(close);

async function openPipe(path: string): Promise<{ reader: Readable; writer: number }> {
  // The reader is opened first and non-blocking: otherwise opening would wait for the other end.
  const fd = await openFile(path, constants.O_RDONLY | constants.O_NONBLOCK);
  const writer = await openFile(path, constants.O_WRONLY);
  return { reader: new Socket({ fd, readable: true, writable: false }), writer };
}
