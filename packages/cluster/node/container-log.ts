// SPDX-License-Identifier: Apache-2.0
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Transform, type Readable } from 'node:stream';
import type { Clock } from '@forge/runtime/clock.ts';

/** The two outputs of a container. */
export type OutputName = 'stdout' | 'stderr';

/** What a container has written and still writes. */
export interface ContainerLog {
  readonly path: string;
  /** Resolves with the next bytes in the file, or when there will be none any more. */
  grown(): Promise<void>;
  readonly closed: boolean;
}

/** Longer lines are written in parts. */
const longestLine = 16_384;

/** Writes both outputs into one file, each line with its time and origin as the CRI has it; settles at their end. */
export async function recordLog(
  path: string,
  outputs: Readonly<Record<OutputName, Readable>>,
  clock: Clock,
): Promise<ContainerLog & { readonly finished: Promise<void> }> {
  await mkdir(dirname(path), { recursive: true });
  const file = createWriteStream(path, { flags: 'a' });
  await once(file, 'open');
  let growing = Promise.withResolvers<void>();
  let closed = false;
  const wake = () => {
    growing.resolve();
    growing = Promise.withResolvers();
  };

  const record = async (name: OutputName) => {
    const lines = outputs[name].pipe(logLines(name, clock));
    lines.on('data', (line: Buffer) => {
      // The container waits while the disk does.
      if (file.write(line, wake)) return;
      lines.pause();
      file.once('drain', () => lines.resume());
    });
    await once(lines, 'end');
  };

  const finish = async () => {
    await Promise.all([record('stdout'), record('stderr')]);
    file.end();
    await once(file, 'close');
    closed = true;
    wake();
  };
  return {
    path,
    grown: () => growing.promise,
    get closed() {
      return closed;
    },
    finished: finish(),
  };
}

/** Turns an output into lines of the CRI's log format: time, origin, F for a full line or P for a part of one, text. */
function logLines(name: OutputName, clock: Clock): Transform {
  let rest: Buffer = Buffer.alloc(0);
  const line = (tag: 'F' | 'P', text: Buffer) =>
    Buffer.concat([Buffer.from(`${new Date(clock.now()).toISOString()} ${name} ${tag} `), text, Buffer.from('\n')]);

  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      rest = Buffer.concat([rest, chunk]);
      const lines: Buffer[] = [];
      for (;;) {
        const end = rest.indexOf(0x0a);
        if (end !== -1 && end <= longestLine) {
          lines.push(line('F', rest.subarray(0, end)));
          rest = rest.subarray(end + 1);
        } else if (rest.length > longestLine) {
          lines.push(line('P', rest.subarray(0, longestLine)));
          rest = rest.subarray(longestLine);
        } else break;
      }
      done(null, lines.length === 0 ? undefined : Buffer.concat(lines));
    },
    flush(done) {
      done(null, rest.length === 0 ? undefined : line('F', rest));
    },
  });
}
