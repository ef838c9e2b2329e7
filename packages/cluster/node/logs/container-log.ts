// SPDX-License-Identifier: Apache-2.0
import { once } from 'node:events';
import { mkdir, open, readdir, rm } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { Transform, type Readable } from 'node:stream';
import type { Clock } from '@forge/runtime/time/clock.ts';

/** The two outputs of a container. */
export type OutputName = 'stdout' | 'stderr';

/** What a container has written and still writes. */
export interface ContainerLog {
  /** The first file; those after it have their number at the end. */
  readonly path: string;
  /** How many files came after the first so far; unknown of a container that has ended before the node was restarted. */
  readonly rotations?: number;
  /** Resolves with the next bytes in the file, or when there will be none any more. */
  grown(): Promise<void>;
  readonly closed: boolean;
}

/** How much of a log is kept. */
interface LogLimits {
  /** The size at which a new file begins. */
  bytes: number;
  files: number;
}

/** The kubelet's defaults. */
const defaultLimits: LogLimits = { bytes: 10 * 1024 * 1024, files: 5 };

/** An output is read no further while so many bytes of it wait for the disk. */
const mostWaiting = 65_536;

/** Longer lines are written in parts. */
const longestLine = 16_384;

/** The file of a log after so many rotations. */
export function logFileOf(path: string, rotations: number): string {
  return rotations === 0 ? path : `${path}.${rotations}`;
}

/**
 * Writes both outputs into one log, each line with its time and origin as the CRI has it; settles at their end. When a
 * file is full the next one begins, and the oldest goes when there are too many.
 */
export async function recordLog(
  path: string,
  outputs: Readonly<Record<OutputName, Readable>>,
  clock: Clock,
  limits = defaultLimits,
): Promise<ContainerLog & { readonly finished: Promise<void> }> {
  await mkdir(dirname(path), { recursive: true });
  let file = await open(path, 'a');
  let { size } = await file.stat();
  let rotations = 0;
  let growing = Promise.withResolvers<void>();
  let closed = false;
  let appended = Promise.resolve();
  const wake = () => {
    growing.resolve();
    growing = Promise.withResolvers();
  };

  /** A disk that cannot be written to costs lines, not the container. */
  async function appendAfter(earlier: Promise<void>, lines: Buffer): Promise<void> {
    await earlier;
    await append(lines).catch(() => undefined);
  }

  async function append(lines: Buffer): Promise<void> {
    if (size > 0 && size + lines.length > limits.bytes) await rotate();
    await file.write(lines);
    size += lines.length;
    wake();
  }

  async function rotate(): Promise<void> {
    const full = file;
    file = await open(logFileOf(path, rotations + 1), 'a');
    rotations += 1;
    size = 0;
    await full.close();
    if (rotations >= limits.files) await rm(logFileOf(path, rotations - limits.files), { force: true });
  }

  const record = async (name: OutputName) => {
    const lines = outputs[name].pipe(logLines(name, clock));
    let waiting = 0;
    lines.on('data', (chunk: Buffer) => {
      waiting += chunk.length;
      // The container waits while the disk does.
      if (waiting > mostWaiting) lines.pause();
      appended = appendAfter(appended, chunk).finally(() => {
        waiting -= chunk.length;
        if (waiting <= mostWaiting) lines.resume();
      });
    });
    await once(lines, 'end');
    await appended;
  };

  const finish = async () => {
    await Promise.all([record('stdout'), record('stderr')]);
    await file.close();
    closed = true;
    wake();
  };
  return {
    path,
    get rotations() {
      return rotations;
    },
    grown: () => growing.promise,
    get closed() {
      return closed;
    },
    finished: finish(),
  };
}

/** How many files came after the first one, as the folder shows. */
export async function rotationsOf(path: string): Promise<number> {
  const files = await readdir(dirname(path)).catch(() => []);
  const prefix = `${basename(path)}.`;
  const numbers = files.flatMap((file) => (file.startsWith(prefix) ? [Number(file.slice(prefix.length))] : []));
  return Math.max(0, ...numbers);
}

/** Removes all files of a log. */
export async function removeLog(path: string): Promise<void> {
  for (let last = await rotationsOf(path); last >= 0; last -= 1) await rm(logFileOf(path, last), { force: true });
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
