// SPDX-License-Identifier: Apache-2.0
import type { Readable, Writable } from 'node:stream';
import type { Toolbox } from '../../host/toolbox.ts';

/** A command inside a container with connected streams. */
export interface StreamedCommand {
  /** Present if requested. */
  readonly stdin: Writable | undefined;
  readonly stdout: Readable;
  /** Absent with a terminal, which has a single output. */
  readonly stderr: Readable | undefined;
  /** Sets the size of the terminal, if any. */
  resize(columns: number, rows: number): void;
  /** Resolves with the exit code when all output has been read. */
  readonly ended: Promise<number>;
  /** Kills it and its child processes, if still running. */
  kill(): void;
}

/** The options of a streamed command. */
export interface CommandStart {
  tools: Toolbox;
  /** The pid of a process in the container. */
  pid: number;
  env: Readonly<Record<string, string>>;
  /** The prefix of the folder for its pipes. */
  folder: string;
  command: readonly string[];
  stdin: boolean;
}
