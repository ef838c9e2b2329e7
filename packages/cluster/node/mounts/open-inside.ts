// SPDX-License-Identifier: Apache-2.0
import { constants } from 'node:fs';
import { mkdir, open, readlink, type FileHandle } from 'node:fs/promises';

/** O_PATH, which Node does not define: opens a location without reading it. */
const O_PATH = 0o10000000;
const maxLinks = 40;

/** How a path is resolved. */
export interface WalkOptions {
  /**
   * How absolute paths and links, and `..` beyond the folder, are treated: `escapes` is an error, `root` restarts at
   * the folder.
   */
  outside: 'escapes' | 'root';
  /**
   * What to create for a missing last component, including parent folders; otherwise a missing component is an error.
   */
  make?: 'folder' | 'file' | undefined;
}

/** A path that leaves its folder. */
export class PathEscapes extends Error {
  override readonly name = 'PathEscapes';
}

/**
 * Opens a path inside a folder.
 *
 * Guarantees: the result is inside the folder, even if names and links change concurrently. Each component is opened
 * relative to the previous one, links are read and followed here, and `..` returns to what was opened before, so that
 * the kernel never resolves more than one name. The descriptor refers to what was found: use {@link pathOf}, not the
 * path.
 *
 * Assumptions: `folder` itself cannot be replaced. The caller closes the handle.
 */
export async function openInside(folder: string, path: string, options: WalkOptions): Promise<FileHandle> {
  const opened = [await open(folder, O_PATH | constants.O_NOFOLLOW)];
  try {
    await walk(opened, path, options);
    return opened.pop()!;
  } finally {
    await Promise.all(opened.map((handle) => handle.close()));
  }
}

/** The path of an open file or folder, in this process or, with another descriptor, in a child. */
export function pathOf({ fd }: { fd: number }): string {
  return `/proc/self/fd/${fd}`;
}

async function walk(opened: FileHandle[], path: string, { outside, make }: WalkOptions): Promise<void> {
  const left = partsOf(path);
  const leave = async (keep: number) => {
    for (const handle of opened.splice(keep)) await handle.close();
  };
  const restart = async () => {
    if (outside === 'escapes') throw new PathEscapes(`${path} is absolute`);
    await leave(1);
  };
  if (path.startsWith('/')) await restart();
  for (let links = 0; left.length > 0;) {
    const part = left.shift()!;
    if (part === '..') {
      if (opened.length === 1 && outside === 'escapes') throw new PathEscapes(`${path} leaves the folder`);
      await leave(Math.max(1, opened.length - 1));
      continue;
    }
    const at = `${pathOf(opened.at(-1)!)}/${part}`;
    const next = await openOrMake(at, left.length > 0 ? make && 'folder' : make);
    if (!(await next.stat()).isSymbolicLink()) {
      opened.push(next);
      continue;
    }
    await next.close();
    if (++links > maxLinks) throw new Error(`${path} has too many links`);
    const target = await readlink(at).catch(notALink);
    if (target?.startsWith('/') === true) await restart();
    left.unshift(...(target === undefined ? [part] : partsOf(target)));
  }
}

function partsOf(path: string): string[] {
  return path.split('/').filter((part) => part !== '' && part !== '.');
}

/** The link was replaced in the meantime: resolve it again. */
function notALink(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'EINVAL') throw error;
}

async function openOrMake(path: string, kind: WalkOptions['make']): Promise<FileHandle> {
  try {
    return await open(path, O_PATH | constants.O_NOFOLLOW);
  } catch (error) {
    if (kind === undefined || (error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  await (kind === 'folder' ? mkdir(path) : makeFile(path)).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  return open(path, O_PATH | constants.O_NOFOLLOW);
}

async function makeFile(path: string): Promise<void> {
  const { O_CREAT, O_EXCL, O_WRONLY } = constants;
  await (await open(path, O_WRONLY | O_CREAT | O_EXCL)).close();
}
