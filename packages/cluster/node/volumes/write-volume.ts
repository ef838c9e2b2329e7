// SPDX-License-Identifier: Apache-2.0
import { chmod, mkdir, mkdtemp, readFile, readdir, readlink, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { VolumeFiles } from './volume-files.ts';

const current = '..data';

/**
 * Replaces the content of a folder by these files, atomically.
 *
 * Guarantees: readers see either all old or all new files. The files are in a separate folder to which the link
 * `..data` points, each visible path links through it, and only `..data` is ever replaced, by a rename.
 */
export async function writeVolume(folder: string, files: VolumeFiles): Promise<void> {
  for (const path of files.keys()) checkPath(path);
  await mkdir(folder, { recursive: true });
  const before = await readlink(join(folder, current)).catch(() => undefined);
  if (before !== undefined && (await holds(join(folder, before), files))) return;

  // `join` would normalize the two leading dots that the kubelet uses.
  const payload = await mkdtemp(`${folder}/..`);
  for (const [path, { data, mode }] of files) {
    const file = join(payload, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, data);
    // writeFile would apply the umask.
    await chmod(file, mode);
  }
  await chmod(payload, 0o755);

  const link = join(folder, '..data_tmp');
  await rm(link, { force: true });
  await symlink(payload.slice(folder.length + 1), link);
  await rename(link, join(folder, current));

  const visible = new Set([...files.keys()].map((path) => path.split('/', 1)[0] ?? path));
  const shown = (await readdir(folder)).filter((name) => !name.startsWith('..'));
  for (const name of visible) if (!shown.includes(name)) await symlink(join(current, name), join(folder, name));
  for (const name of shown) if (!visible.has(name)) await rm(join(folder, name));
  if (before !== undefined) await rm(join(folder, before), { recursive: true });
}

/** Pods choose these paths; names that begin with two dots are reserved. */
function checkPath(path: string): void {
  const parts = path.split('/');
  if (path === '' || path.startsWith('..') || parts.includes('..') || parts[0] === '') {
    throw new Error(`${JSON.stringify(path)} must be a relative path that does not contain or start with '..'`);
  }
}

async function holds(folder: string, files: VolumeFiles): Promise<boolean> {
  const paths = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());
  if (paths.length !== files.size) return false;
  const same = [...files].map(async ([path, { data }]) => {
    const there = await readFile(join(folder, path)).catch(() => undefined);
    return there?.equals(data) === true;
  });
  return (await Promise.all(same)).every(Boolean);
}
