// SPDX-License-Identifier: Apache-2.0
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';

/**
 * The command that runs another one at a terminal of its own, whose name it first tells on a file descriptor.
 *
 * Caveats: the terminal is one of the node's, so it works as one and has a size, but inside a container `tty` finds no
 * name for it.
 */
export function atTerminal(command: readonly string[], nameDescriptor: number): string[] {
  const session = `tty >&${nameDescriptor}; exec ${nameDescriptor}>&-; exec ${command.map(quoted).join(' ')}`;
  const options = ['--quiet', '--return', '--flush', '--echo', 'always', '--command', session];
  return ['/usr/bin/script', ...options, '/dev/null'];
}

/** Tells the terminal its size, one after the other; its name comes by the stream. */
export function terminalSizer(name: Readable): (columns: number, rows: number) => void {
  const told = once(createInterface({ input: name }), 'line') as Promise<[string]>;
  const setSize = async (earlier: Promise<void>, columns: number, rows: number) => {
    await earlier;
    const [terminal] = await told;
    const size = ['-F', terminal, 'cols', String(columns), 'rows', String(rows)];
    // A terminal that is gone has no size.
    await new Promise((resolve) => execFile('stty', size, resolve));
  };
  let sized = Promise.resolve();
  return (columns, rows) => {
    sized = setSize(sized, columns, rows);
  };
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
