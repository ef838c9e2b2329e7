// SPDX-License-Identifier: Apache-2.0
import type { Volume } from '@forge/kube/generated/types.ts';
import { nanosOf } from '@forge/kube/objects/quantity.ts';
import { sleep, type Clock } from '@forge/runtime/environment/clock.ts';
import { CommandError, runCommand } from '../../host/run-command.ts';

/** The kubelet's measuring interval. */
const interval = 10_000;

/**
 * Measures emptyDir volumes with a size limit until one is exceeded, and resolves with the kubelet's message; with
 * undefined when there is none to measure, or when the signal aborts.
 */
export async function exceededLimit(
  volumes: readonly Volume[],
  sourceOf: (volume: string) => string | undefined,
  { clock, signal }: { clock: Clock; signal: AbortSignal },
): Promise<string | undefined> {
  const limited = volumes.flatMap(({ name, emptyDir }) => {
    const limit = String(emptyDir?.sizeLimit ?? '0');
    const nanos = nanosOf(limit) ?? 0n;
    return nanos > 0n ? [{ name, limit, nanos }] : [];
  });
  while (limited.length > 0) {
    await sleep(clock, interval, signal).catch(() => undefined);
    if (signal.aborted) break;
    for (const { name, limit, nanos } of limited) {
      const source = sourceOf(name);
      if (source === undefined || (await usedBytes(source)) * 1_000_000_000n <= nanos) continue;
      return `Usage of EmptyDir volume "${name}" exceeds the limit "${limit}". `;
    }
  }
  return undefined;
}

/** The disk or memory usage of a folder; `du` does not follow links. */
async function usedBytes(folder: string): Promise<bigint> {
  const output = await runCommand(['du', '-sx', '-B1', '--', folder]).catch((error: unknown) => {
    // `du` reports files that were removed in the meantime, and counts the others.
    if (error instanceof CommandError) return error.stdout;
    throw error;
  });
  return BigInt(/^\d+/.exec(output)?.[0] ?? 0);
}
