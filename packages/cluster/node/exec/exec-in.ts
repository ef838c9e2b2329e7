// SPDX-License-Identifier: Apache-2.0
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Clock } from '@forge/runtime/environment/clock.ts';
import type { Toolbox } from '../../host/toolbox.ts';
import { allNamespaces, enterContainer, innerEnvironment } from './enter-container.ts';
import { killGroup } from './kill-group.ts';

/** The result of a command inside a container; the exit code is undefined after a timeout. */
export interface ExecResult {
  exitCode: number | undefined;
  /** stdout and stderr, at most the first 10 KiB. */
  output: string;
}

const maxOutput = 10_240;

/** Runs a command inside a container, as its user, and kills it after the timeout. */
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
      output = (output + chunk.toString()).slice(0, maxOutput);
    });
  }
  const expiry = new AbortController();
  const cancel = clock.after(timeout, () => {
    expiry.abort();
    killGroup(child);
    // Child processes in another group may keep the outputs open as long as the container runs.
    child.stdout.destroy();
    child.stderr.destroy();
  });
  const [code] = (await once(child, 'close')) as [number | null];
  cancel();
  return { exitCode: expiry.signal.aborted ? undefined : (code ?? 137), output: output.trim() };
}
