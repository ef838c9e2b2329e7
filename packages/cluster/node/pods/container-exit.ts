// SPDX-License-Identifier: Apache-2.0
import { open } from 'node:fs/promises';
import type { Container } from '@forge/kube/generated/types.ts';
import type { ContainerEnd, RunningContainer } from '../containers/container-runtime.ts';
import { readLog } from '../logs/read-log.ts';
import type { ContainerExit } from './container-record.ts';
import { containerIdOf } from './container-status.ts';

const maxMessage = 4096;
const maxFallback = { lines: 80, bytes: 2048 };

/** The terminated state of a container, with its termination message, or the end of its log by policy. */
export async function containerExit(
  container: Container,
  running: RunningContainer,
  end: ContainerEnd,
  messageFile: string,
): Promise<ContainerExit> {
  const left = await endOfFile(messageFile, maxMessage).catch(() => '');
  const fallBack = container.terminationMessagePolicy === 'FallbackToLogsOnError' && end.exitCode !== 0;
  const message = left === '' && (fallBack || !end.ran) ? await endOfLog(running).catch(() => '') : left;
  return {
    exitCode: end.exitCode,
    reason: reasonOf(end),
    ...(message !== '' && { message }),
    startedAt: timeOf(running.startedAt),
    finishedAt: timeOf(end.finishedAt),
    containerID: containerIdOf(running.id),
  };
}

function reasonOf({ ran, exitCode, outOfMemory }: ContainerEnd): string {
  if (!ran) return 'StartError';
  if (exitCode === 0) return 'Completed';
  return outOfMemory === true ? 'OOMKilled' : 'Error';
}

/** The last bytes of a file; nothing else of it is read, because a container can make it arbitrarily large. */
async function endOfFile(path: string, bytes: number): Promise<string> {
  await using file = await open(path);
  const { size } = await file.stat();
  const { buffer, bytesRead } = await file.read(Buffer.alloc(bytes), 0, bytes, Math.max(0, size - bytes));
  return buffer.subarray(0, bytesRead).toString();
}

async function endOfLog({ log }: RunningContainer): Promise<string> {
  let text = '';
  for await (const line of readLog(log, { tailLines: maxFallback.lines })) text += line;
  return Buffer.from(text).subarray(-maxFallback.bytes).toString();
}

/** A time in the format of Kubernetes. */
export function timeOf(milliseconds: number): string {
  return new Date(milliseconds).toISOString().replace(/\.\d+Z$/, 'Z');
}
