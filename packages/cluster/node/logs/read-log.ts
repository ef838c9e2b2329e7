// SPDX-License-Identifier: Apache-2.0
import { open, type FileHandle } from 'node:fs/promises';
import { logFileOf, rotationsOf, type ContainerLog } from './container-log.ts';

/** Options for reading a log; the names are those of the kubelet's and the API server's query. */
export interface LogOptions {
  follow?: boolean;
  timestamps?: boolean;
  tailLines?: number;
  limitBytes?: number;
  /** Only lines written at or after this time, in milliseconds. */
  since?: number;
}

/**
 * The container's output from the latest log file, as with the kubelet; with `follow`, across rotations until the
 * container ends or the signal aborts.
 */
export async function* readLog(
  log: ContainerLog,
  options: LogOptions = {},
  signal?: AbortSignal,
): AsyncGenerator<string> {
  const current = log.rotations ?? (await rotationsOf(log.path));
  let left = options.limitBytes ?? Infinity;
  let skip = 0;
  if (options.tailLines !== undefined) skip = (await countLines(logFileOf(log.path, current))) - options.tailLines;
  for await (const line of lines(log, current, options.follow === true, signal)) {
    if (skip-- > 0) continue;
    const shown = show(line, options);
    if (shown === undefined) continue;
    const bytes = Buffer.byteLength(shown);
    yield bytes <= left ? shown : Buffer.from(shown).subarray(0, left).toString();
    left -= bytes;
    if (left <= 0) return;
  }
}

/** The text of a recorded line; without a line end if it is a part. */
function show(line: string, { timestamps = false, since }: LogOptions): string | undefined {
  const [, time = '', tag = '', text = ''] = /^(\S+) \S+ (\S+) (.*)$/s.exec(line) ?? [];
  if (since !== undefined && Date.parse(time) < since) return undefined;
  return `${timestamps ? `${time} ` : ''}${text}${tag === 'F' ? '\n' : ''}`;
}

async function* lines(
  log: ContainerLog,
  first: number,
  follow: boolean,
  signal: AbortSignal | undefined,
): AsyncGenerator<string> {
  const stopped = new Promise<'stopped'>((resolve) => {
    if (signal?.aborted === true) resolve('stopped');
    signal?.addEventListener('abort', () => resolve('stopped'), { once: true });
  });
  let number = first;
  let file = await open(logFileOf(log.path, number));
  const decoder = new TextDecoder();
  let rest = '';
  let position = 0;
  try {
    for (;;) {
      // Obtained before reading, so that no write is missed.
      const grown = log.grown();
      const last = log.closed || !follow;
      const isFull = follow && number < (log.rotations ?? first);
      for await (const chunk of chunks(file, position)) {
        position += chunk.length;
        const parts = (rest + decoder.decode(chunk, { stream: true })).split('\n');
        rest = parts.pop() ?? '';
        yield* parts;
      }
      if (isFull) {
        await file.close();
        ({ file, number } = await openFrom(log, number + 1));
        position = 0;
      } else if (last || (await Promise.race([grown, stopped])) === 'stopped') return;
    }
  } finally {
    await file.close();
  }
}

/** Opens the file after this many rotations, or the next one that still exists. */
async function openFrom(log: ContainerLog, number: number): Promise<{ file: FileHandle; number: number }> {
  try {
    return { file: await open(logFileOf(log.path, number)), number };
  } catch (error) {
    const isGone = (error as NodeJS.ErrnoException).code === 'ENOENT' && number < (log.rotations ?? number);
    if (!isGone) throw error;
    return openFrom(log, number + 1);
  }
}

async function countLines(path: string): Promise<number> {
  await using file = await open(path);
  let count = 0;
  for await (const chunk of chunks(file, 0)) {
    for (const byte of chunk) if (byte === 0x0a) count += 1;
  }
  return count;
}

async function* chunks(file: FileHandle, from: number): AsyncGenerator<Buffer> {
  for (let position = from; ;) {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(65_536), 0, 65_536, position);
    if (bytesRead === 0) return;
    position += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}
