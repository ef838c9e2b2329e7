// SPDX-License-Identifier: Apache-2.0
import { once } from 'node:events';
import { mkdir, open, readdir, rm } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { Transform, type Readable } from 'node:stream';
import type { Clock } from '@forge/runtime/environment/clock.ts';

/** The two outputs of a container. */
export type OutputName = 'stdout' | 'stderr';

/** The log of a container. */
export interface ContainerLog {
  /** The first file; rotated ones end with their number. */
  readonly path: string;
  /** The number of rotations so far; unknown for containers that ended before the node was restarted. */
  readonly rotations?: number;
  /** Resolves when more was written, or when the log is closed. */
  grown(): Promise<void>;
  readonly closed: boolean;
}

/** How much of a log is retained. */
interface LogLimits {
  /** The size at which the file is rotated. */
  bytes: number;
  files: number;
}

/** The kubelet's defaults. */
const defaultLimits: LogLimits = { bytes: 10 * 1024 * 1024, files: 5 };

/** Reading pauses while this many bytes are waiting for the disk. */
const maxWaiting = 65_536;

/** Longer lines are split. */
const maxLineLength = 16_384;

/** The file of a log after this many rotations. */
export function logFileOf(path: string, rotations: number): string {
  return rotations === 0 ? path : `${path}.${rotations}`;
}

/**
 * Writes both outputs to one log in CRI format; resolves when they end. A full file is rotated, and the oldest is
 * removed when there are too many.
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
  const notifyReaders = () => {
    growing.resolve();
    growing = Promise.withResolvers();
  };

  /** A write error drops lines but does not affect the container. */
  async function appendAfter(earlier: Promise<void>, lines: Buffer): Promise<void> {
    await earlier;
    await append(lines).catch(() => undefined);
  }

  async function append(lines: Buffer): Promise<void> {
    if (size > 0 && size + lines.length > limits.bytes) await rotate();
    await file.write(lines);
    size += lines.length;
    notifyReaders();
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
      // Back-pressure: the container waits for the disk.
      if (waiting > maxWaiting) lines.pause();
      appended = appendAfter(appended, chunk).finally(() => {
        waiting -= chunk.length;
        if (waiting <= maxWaiting) lines.resume();
      });
    });
    await once(lines, 'end');
    await appended;
  };

  const finish = async () => {
    await Promise.all([record('stdout'), record('stderr')]);
    await file.close();
    closed = true;
    notifyReaders();
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

/** The number of rotations, from the files in the folder. */
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

/** Converts output to CRI log lines: time, stream, F for a full line or P for a part, text. */
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
        if (end !== -1 && end <= maxLineLength) {
          lines.push(line('F', rest.subarray(0, end)));
          rest = rest.subarray(end + 1);
        } else if (rest.length > maxLineLength) {
          lines.push(line('P', rest.subarray(0, maxLineLength)));
          rest = rest.subarray(maxLineLength);
        } else break;
      }
      done(null, lines.length === 0 ? undefined : Buffer.concat(lines));
    },
    flush(done) {
      done(null, rest.length === 0 ? undefined : line('F', rest));
    },
  });
}
