// SPDX-License-Identifier: Apache-2.0
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Clock } from '@forge/runtime/time/clock.ts';
import type { Toolbox } from '../../host/toolbox.ts';
import { allNamespaces, enterContainer, innerEnvironment } from './enter-container.ts';
import { killGroup } from './kill-group.ts';

/** How a command inside a container ended; undefined as exit code when it ran out of time. */
export interface ExecResult {
  exitCode: number | undefined;
  /** What it said on both outputs, at most the first 10 KiB. */
  output: string;
}

const longestOutput = 10_240;

/** Runs a command among a container's processes, as its user, and ends it when its time is over. */
export async function execIn(
  tools: Toolbox,
  pid: number,
  command: readonly string[],
  { env, timeout, clock }: { env: Readonly<Record<string, string>>; timeout: number; clock: Clock },
): Promise<ExecResult> {
  const [program = '', ...args] = enterContainer(tools, pid, allNamespaces, command);
  const child = spawn(program, args, { env: innerEnvironment(env), stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output = (output + chunk.toString()).slice(0, longestOutput);
    });
  }
  const expiry = new AbortController();
  const cancel = clock.after(timeout, () => {
    expiry.abort();
    killGroup(child);
    // What it has started in a group of its own may keep them open as long as the container lives.
    child.stdout.destroy();
    child.stderr.destroy();
  });
  const [code] = (await once(child, 'close')) as [number | null];
  cancel();
  return { exitCode: expiry.signal.aborted ? undefined : (code ?? 137), output: output.trim() };
}
