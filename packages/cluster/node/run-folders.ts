// SPDX-License-Identifier: Apache-2.0
import { join } from 'node:path';

/** The maximum length of a Unix socket path: `sun_path` has 108 bytes including the final 0. */
const maxSocketPath = 107;

/** Paths below the run folder that both processes use. */
export interface RunFolders {
  /** Where the node mounts its tmpfs: namespaces, secrets, writable layers. Empty outside the node's namespace. */
  memory: string;
  /** The socket for connections into the cluster network. */
  dialSocket: string;
}

/** The paths below `runDir`; throws when it is too long for a socket. */
export function runFolders(runDir: string): RunFolders {
  const dialSocket = join(runDir, 'node.sock');
  const length = Buffer.byteLength(dialSocket);
  if (length > maxSocketPath) {
    throw new Error(
      `The run folder ${runDir} is too long: a socket's path has at most ${maxSocketPath} bytes, ` +
        `${dialSocket} has ${length}; choose a shorter folder`,
    );
  }
  return { memory: join(runDir, 'node'), dialSocket };
}
