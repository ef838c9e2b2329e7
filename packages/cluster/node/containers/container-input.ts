// SPDX-License-Identifier: Apache-2.0
import type { ChildProcess } from 'node:child_process';
import { Writable, type Readable } from 'node:stream';
import type { Container } from '@forge/kube/generated/types.ts';
import { terminalSizer } from '../exec/terminal.ts';

/** How a container's stdin is set up. */
export type InputOptions = Pick<Container, 'stdin' | 'stdinOnce' | 'tty'>;

/** The input of a container's main process. */
export interface ContainerInput {
  /** Opens its stdin; undefined when it has none. */
  openInput(): Writable | undefined;
  /** Sets the size of its terminal, if any. */
  resize(columns: number, rows: number): void;
}

/** The descriptor on which a container's terminal reports its name. */
export const terminalNameDescriptor = 5;

/** The stdin option of its process; a terminal without an open stdin would end the command. */
export function stdinMode({ stdin, tty }: InputOptions): 'pipe' | 'ignore' {
  return stdin === true || tty === true ? 'pipe' : 'ignore';
}

/** The input of a container's main process. */
export function containerInput(child: ChildProcess, { stdin, stdinOnce, tty }: InputOptions): ContainerInput {
  // An ended container accepts no input.
  child.stdin?.on('error', () => {});
  return {
    openInput() {
      if (stdin !== true || child.stdin === null) return undefined;
      return stdinOnce === true ? child.stdin : withoutEnd(child.stdin);
    },
    resize: tty === true ? terminalSizer(child.stdio.at(terminalNameDescriptor) as Readable) : () => {},
  };
}

/** A writable that leaves the underlying input open for later clients. */
function withoutEnd(input: Writable): Writable {
  return new Writable({ write: (bytes, _encoding, done) => void input.write(bytes, () => done()) });
}
