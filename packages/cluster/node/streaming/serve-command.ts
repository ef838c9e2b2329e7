// SPDX-License-Identifier: Apache-2.0
import type { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { StreamedCommand } from '../exec/streamed-command.ts';
import type { CommandStreams } from './command-streams.ts';

/** Connects a command with its client and reports its result at the end; it is killed when the client disconnects. */
export async function serveCommand(caller: CommandStreams, command: StreamedCommand): Promise<void> {
  const { stdin, stdout, stderr, error, resize } = caller.streams;
  void caller.gone.then(() => command.kill());
  if (stdin !== undefined && command.stdin !== undefined) stdin.pipe(command.stdin);
  resize?.on('data', (bytes: Buffer) => {
    for (const [columns, rows] of sizesIn(bytes.toString())) command.resize(columns, rows);
  });
  const delivered = [deliver(command.stdout, stdout), deliver(command.stderr, stderr)];
  const status = await command.ended.then(exitStatus, failureStatus);
  // Remaining input is discarded, so that the end of the connection is noticed.
  stdin?.unpipe().resume();
  await Promise.all(delivered);
  if (error !== undefined) await pipeline([Buffer.from(JSON.stringify(status))], error).catch(() => {});
  await caller.close();
}

/** Output to a client that has disconnected, or did not request it, is discarded. */
async function deliver(from: Readable | undefined, to: Writable | undefined): Promise<void> {
  if (to === undefined) from?.resume();
  else if (from === undefined) to.end();
  else await pipeline(from, to).catch(() => {});
}

function* sizesIn(text: string): Generator<[number, number]> {
  for (const [object] of text.matchAll(/\{[^{}]*\}/g)) {
    const { Width, Height } = sizeIn(object);
    if (isSize(Width) && isSize(Height)) yield [Width, Height];
  }
}

/** Clients may send anything. */
function sizeIn(json: string): { Width?: unknown; Height?: unknown } {
  try {
    return JSON.parse(json) as object;
  } catch {
    return {};
  }
}

function isSize(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) > 0 && (value as number) < 65_536;
}

function exitStatus(code: number): object {
  if (code === 0) return { metadata: {}, status: 'Success' };
  return {
    metadata: {},
    status: 'Failure',
    message: `command terminated with non-zero exit code: exit status ${code}`,
    reason: 'NonZeroExitCode',
    details: { causes: [{ reason: 'ExitCode', message: String(code) }] },
  };
}

function failureStatus({ message }: Error): object {
  return {
    metadata: {},
    status: 'Failure',
    message: `Internal error occurred: error executing command in container: ${message}`,
    reason: 'InternalError',
    details: { causes: [{ message }] },
    code: 500,
  };
}
