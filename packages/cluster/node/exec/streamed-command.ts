// SPDX-License-Identifier: Apache-2.0
import type { Readable, Writable } from 'node:stream';
import type { Toolbox } from '../../host/toolbox.ts';

/** A command that runs inside a container while somebody talks with it. */
export interface StreamedCommand {
  /** There when it was asked for. */
  readonly stdin: Writable | undefined;
  readonly stdout: Readable;
  /** A terminal has one output only. */
  readonly stderr: Readable | undefined;
  /** Tells the size of the terminal, if there is one. */
  resize(columns: number, rows: number): void;
  /** The exit code, when all output has been read. */
  readonly ended: Promise<number>;
  /** Ends it and what it has started, if it still runs. */
  kill(): void;
}

/** What a command is started with. */
export interface CommandStart {
  tools: Toolbox;
  /** Of a process in the container. */
  pid: number;
  env: Readonly<Record<string, string>>;
  /** A folder for its pipes is made whose name begins so. */
  folder: string;
  command: readonly string[];
  stdin: boolean;
}
