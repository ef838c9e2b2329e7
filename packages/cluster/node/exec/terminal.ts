// SPDX-License-Identifier: Apache-2.0
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { quoted } from '../../host/quoted.ts';

/**
 * A command that runs another one in its own terminal, whose name is first written to a file descriptor.
 *
 * Caveats: the terminal belongs to the node; it works and has a size, but `tty` inside a container finds no name for
 * it.
 */
export function atTerminal(command: readonly string[], nameDescriptor: number): string[] {
  const session = `tty >&${nameDescriptor}; exec ${nameDescriptor}>&-; exec ${command.map(quoted).join(' ')}`;
  const options = ['--quiet', '--return', '--flush', '--echo', 'always', '--command', session];
  return ['/usr/bin/script', ...options, '/dev/null'];
}

/** Sets the size of a terminal, by its name. */
type SetSize = (terminal: string, columns: number, rows: number) => Promise<unknown>;

/**
 * Sets the size of the terminal whose name arrives on the stream. When sizes arrive faster than they can be set, the
 * last one wins.
 */
export function terminalSizer(name: Readable, setSize: SetSize = stty): (columns: number, rows: number) => void {
  const terminalName = once(createInterface({ input: name }), 'line') as Promise<[string]>;
  let wanted: [number, number] | undefined;
  let updating = false;
  const update = async () => {
    updating = true;
    const [terminal] = await terminalName;
    for (let size = wanted; size !== undefined; size = wanted) {
      wanted = undefined;
      await setSize(terminal, ...size);
    }
    updating = false;
  };
  return (columns, rows) => {
    wanted = [columns, rows];
    if (!updating) void update();
  };
}

/** Errors are ignored: the terminal may be closed. */
function stty(terminal: string, columns: number, rows: number): Promise<unknown> {
  const size = ['-F', terminal, 'cols', String(columns), 'rows', String(rows)];
  return new Promise((resolve) => execFile('stty', size, resolve));
}
