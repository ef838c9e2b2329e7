// SPDX-License-Identifier: Apache-2.0
import { join } from 'node:path';

/** The longest path a Unix socket can have: `sun_path` has 108 bytes, the last of them 0. */
const longestSocketPath = 107;

/** The places below the run folder that both sides of the node know. */
export interface RunFolders {
  /** Where the node mounts its memory: namespaces, secrets, writable layers. Empty for everybody outside. */
  memory: string;
  /** The socket on which the node connects its callers to the cluster's addresses. */
  dialSocket: string;
}

/** The places below `runDir`; throws when it is too long for a socket. */
export function runFolders(runDir: string): RunFolders {
  const dialSocket = join(runDir, 'node.sock');
  const length = Buffer.byteLength(dialSocket);
  if (length > longestSocketPath) {
    throw new Error(
      `The run folder ${runDir} is too long: a socket's path has at most ${longestSocketPath} bytes, ` +
        `${dialSocket} has ${length}; choose a shorter folder`,
    );
  }
  return { memory: join(runDir, 'node'), dialSocket };
}
