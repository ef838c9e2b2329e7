// SPDX-License-Identifier: Apache-2.0
import { constants } from 'node:fs';
import { mkdir, open, readlink, type FileHandle } from 'node:fs/promises';

/** Opens the place itself, whatever it is, without reading it; Node has no name for it. */
const O_PATH = 0o10000000;
const mostLinks = 40;

/** How a path is followed. */
export interface WalkOptions {
  /** What a path or link means that is absolute or climbs out: `escapes` is an error, `root` begins again at the folder. */
  outside: 'escapes' | 'root';
  /** What the last part becomes when it is missing, folders before it included; else a missing part is an error. */
  make?: 'folder' | 'file' | undefined;
}

/** A path that leads out of the folder it was to stay in. */
export class PathEscapes extends Error {
  override readonly name = 'PathEscapes';
}

/**
 * Opens what a path leads to inside a folder.
 *
 * Guarantees: it is inside the folder, whoever changes names and links in there meanwhile. Each part is opened relative to
 * the folder opened before it, links are read and followed by us, and `..` goes back to what was opened, so that the kernel
 * never follows more than one name. The descriptor stands for what was found: {@link pathOf} names it, not its path.
 *
 * Assumptions: nobody can replace `folder` itself. The caller closes the handle.
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

/** The path by which an open file or folder is reached, in this process or, by another descriptor, in a child. */
export function pathOf({ fd }: { fd: number }): string {
  return `/proc/self/fd/${fd}`;
}

async function walk(opened: FileHandle[], path: string, { outside, make }: WalkOptions): Promise<void> {
  const left = partsOf(path);
  const leave = async (keep: number) => {
    for (const handle of opened.splice(keep)) await handle.close();
  };
  const startOver = async () => {
    if (outside === 'escapes') throw new PathEscapes(`${path} is absolute`);
    await leave(1);
  };
  if (path.startsWith('/')) await startOver();
  for (let links = 0; left.length > 0;) {
    const part = left.shift()!;
    if (part === '..') {
      if (opened.length === 1 && outside === 'escapes') throw new PathEscapes(`${path} climbs out`);
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
    if (++links > mostLinks) throw new Error(`${path} leads through too many links`);
    const target = await readlink(at).catch(notALink);
    if (target?.startsWith('/') === true) await startOver();
    left.unshift(...(target === undefined ? [part] : partsOf(target)));
  }
}

function partsOf(path: string): string[] {
  return path.split('/').filter((part) => part !== '' && part !== '.');
}

/** Somebody has replaced the link meanwhile: it is looked at again. */
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
