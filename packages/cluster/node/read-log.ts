// SPDX-License-Identifier: Apache-2.0
import { open, type FileHandle } from 'node:fs/promises';
import type { ContainerLog } from './container-log.ts';

/** What of a log is wanted; the names are those of the kubelet's and the API server's query. */
export interface LogOptions {
  follow?: boolean;
  timestamps?: boolean;
  tailLines?: number;
  limitBytes?: number;
  /** Only what was written at or after this time, in milliseconds. */
  since?: number;
}

/** The container's output as the options want it; with `follow` until the container ends or the signal aborts. */
export async function* readLog(
  log: ContainerLog,
  options: LogOptions = {},
  signal?: AbortSignal,
): AsyncGenerator<string> {
  const file = await open(log.path);
  try {
    let left = options.limitBytes ?? Infinity;
    let skip = options.tailLines === undefined ? 0 : (await countLines(file)) - options.tailLines;
    for await (const line of lines(file, log, options.follow === true, signal)) {
      if (skip-- > 0) continue;
      const shown = show(line, options);
      if (shown === undefined) continue;
      const bytes = Buffer.byteLength(shown);
      yield bytes <= left ? shown : Buffer.from(shown).subarray(0, left).toString();
      left -= bytes;
      if (left <= 0) return;
    }
  } finally {
    await file.close();
  }
}

/** The text of a recorded line with its line end, unless it is only a part of one. */
function show(line: string, { timestamps = false, since }: LogOptions): string | undefined {
  const [, time = '', tag = '', text = ''] = /^(\S+) \S+ (\S+) (.*)$/s.exec(line) ?? [];
  if (since !== undefined && Date.parse(time) < since) return undefined;
  return `${timestamps ? `${time} ` : ''}${text}${tag === 'F' ? '\n' : ''}`;
}

async function* lines(
  file: FileHandle,
  log: ContainerLog,
  follow: boolean,
  signal: AbortSignal | undefined,
): AsyncGenerator<string> {
  const stopped = new Promise<'stopped'>((resolve) => {
    if (signal?.aborted === true) resolve('stopped');
    signal?.addEventListener('abort', () => resolve('stopped'), { once: true });
  });
  const decoder = new TextDecoder();
  let rest = '';
  let position = 0;
  for (;;) {
    // Asked before reading, so that nothing can slip in between.
    const grown = log.grown();
    const last = log.closed || !follow;
    for await (const chunk of chunks(file, position)) {
      position += chunk.length;
      const parts = (rest + decoder.decode(chunk, { stream: true })).split('\n');
      rest = parts.pop() ?? '';
      yield* parts;
    }
    if (last || (await Promise.race([grown, stopped])) === 'stopped') return;
  }
}

async function countLines(file: FileHandle): Promise<number> {
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
