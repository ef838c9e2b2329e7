// SPDX-License-Identifier: Apache-2.0
import { mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inParallel } from '../host/in-parallel.ts';
import { runCommand } from '../host/run-command.ts';
import { hostPip } from './host-python.ts';
import type { VenvRecipe } from './recipe.ts';

/** Parallel processes of pip, each of which fetches wheels one by one. */
const downloads = 4;

/** The lock file of a virtual environment. */
export function pythonLockOf({ name, lock }: VenvRecipe): URL {
  return lock ?? new URL(`locks/${name}.txt`, import.meta.url);
}

/** Fetches the wheels of a lock that `folder` lacks; pip verifies the hashes, here and at installation. */
export async function fetchWheels(folder: string, lock: string, pipRoot: string, signal?: AbortSignal): Promise<void> {
  await mkdir(folder, { recursive: true });
  const missing = missingWheels(requirementsOf(lock), await readdir(folder));
  if (missing.length === 0) return;
  const download = [...(await hostPip(pipRoot)), 'download', '--quiet', '--no-cache-dir'];
  const exactly = ['--no-deps', '--only-binary', ':all:', '--require-hashes'];
  const work = await mkdtemp(join(folder, '.download-'));
  const fetchPart = async ([index, part]: [number, string], abort: AbortSignal): Promise<void> => {
    const requirements = join(work, `${index}.txt`);
    await writeFile(requirements, part);
    const command = [...download, ...exactly, '--dest', work, '--requirement', requirements];
    await runCommand(command, { name: 'pip download', signal: abort });
  };
  try {
    await inParallel(splitInto(missing, downloads).entries(), downloads, fetchPart, signal);
    const wheels = (await readdir(work)).filter((name) => name.endsWith('.whl'));
    await Promise.all(wheels.map((name) => rename(join(work, name), join(folder, name))));
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

/** The requirements of a lock, each with its hashes on the following lines. */
export function requirementsOf(lock: string): string[] {
  return lock.trim().split(/\n(?=\S)/);
}

/** The requirements without a file; names are normalized as in Python: case, `-`, `_` and `.` do not matter. */
export function missingWheels(requirements: readonly string[], files: readonly string[]): string[] {
  const there = new Set(files.map((file) => file.split('-', 2).map(canonical).join('==')));
  return requirements.filter((requirement) => {
    const [name = '', version = ''] = requirement.split(/[\s;]/, 1).join('').split('==');
    return !there.has(`${canonical(name)}==${canonical(version)}`);
  });
}

const canonical = (name: string): string => name.toLowerCase().replaceAll(/[-_.]+/g, '-');

function splitInto(requirements: readonly string[], parts: number): string[] {
  return Array.from({ length: Math.min(parts, requirements.length) }, (_, part) =>
    requirements.filter((_requirement, index) => index % parts === part).join('\n'),
  );
}
