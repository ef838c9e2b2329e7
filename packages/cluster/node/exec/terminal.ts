// SPDX-License-Identifier: Apache-2.0
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { quoted } from '../../host/quoted.ts';

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

/** Gives a terminal, known by its name, a size. */
type SetSize = (terminal: string, columns: number, rows: number) => Promise<unknown>;

/** Tells the terminal its size; its name comes by the stream. Of sizes that come faster than they can be told, the last counts. */
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

/** A terminal that is gone has no size. */
function stty(terminal: string, columns: number, rows: number): Promise<unknown> {
  const size = ['-F', terminal, 'cols', String(columns), 'rows', String(rows)];
  return new Promise((resolve) => execFile('stty', size, resolve));
}
