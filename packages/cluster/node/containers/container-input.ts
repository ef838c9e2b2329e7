// SPDX-License-Identifier: Apache-2.0
import type { ChildProcess } from 'node:child_process';
import { Writable, type Readable } from 'node:stream';
import type { Container } from '@forge/kube/generated/types.ts';
import { terminalSizer } from '../exec/terminal.ts';

/** What a container reads from, if it wants to read anything. */
export type InputOptions = Pick<Container, 'stdin' | 'stdinOnce' | 'tty'>;

/** How somebody speaks to a container's command. */
export interface ContainerInput {
  /** A way into its input, when it wants any. */
  openInput(): Writable | undefined;
  /** Tells the size of its terminal, if it has one. */
  resize(columns: number, rows: number): void;
}

/** The descriptor on which a container's terminal tells its name. */
export const terminalNameDescriptor = 5;

/** What its process is started with; a terminal whose keyboard is gone would end the command. */
export function stdinMode({ stdin, tty }: InputOptions): 'pipe' | 'ignore' {
  return stdin === true || tty === true ? 'pipe' : 'ignore';
}

/** The input of a container's process. */
export function containerInput(child: ChildProcess, { stdin, stdinOnce, tty }: InputOptions): ContainerInput {
  // A container that has ended wants no more input.
  child.stdin?.on('error', () => {});
  return {
    openInput() {
      if (stdin !== true || child.stdin === null) return undefined;
      return stdinOnce === true ? child.stdin : withoutEnd(child.stdin);
    },
    resize: tty === true ? terminalSizer(child.stdio.at(terminalNameDescriptor) as Readable) : () => {},
  };
}

/** A way into an input that leaves it open for those who come later. */
function withoutEnd(input: Writable): Writable {
  return new Writable({ write: (bytes, _encoding, done) => void input.write(bytes, () => done()) });
}
