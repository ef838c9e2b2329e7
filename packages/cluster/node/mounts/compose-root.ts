// SPDX-License-Identifier: Apache-2.0
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runCommand } from '../../images/run-command.ts';
import { ContainerConfigError } from '../container-config-error.ts';
import type { Toolbox } from '../toolbox.ts';
import { openInside, PathEscapes, pathOf } from './open-inside.ts';
import { removeTree } from './remove-tree.ts';

/** A file or folder of the node that a container sees. */
export interface BindMount {
  source: string;
  /** What of the source is mounted, as its pod names it; a folder is made for it where that is allowed. */
  inside?: { path: string; make: boolean };
  target: string;
  readOnly: boolean;
}

/** What a container's root is made of. */
interface RootParts {
  /** The image's root folder. */
  image: string;
  /** In the order they are made: a mount inside another comes after it. */
  mounts: readonly BindMount[];
  workingDir: string;
}

/** Where in its own folder a container's root is. */
export function rootIn(own: string): string {
  return join(own, 'root');
}

/** Where in its own folder what is mounted is staged. */
export function stagedIn(own: string, index: number): string {
  return join(own, 'mounts', String(index));
}

/**
 * Puts a container's root together in its own folder: the image below, what the container writes above, and the mounts,
 * except those below /dev, which stay staged.
 *
 * Guarantees: what is mounted, and where, are files and folders that were opened inside the volume or the root and are
 * mounted by their descriptors, so that nothing a pod does to names and links meanwhile matters.
 */
export async function composeRoot(own: string, { image, mounts, workingDir }: RootParts, tools: Toolbox) {
  const layer = { upper: join(own, 'upper'), work: join(own, 'work') };
  const root = rootIn(own);
  await Promise.all([layer.upper, layer.work, root, join(own, 'mounts')].map((path) => mkdir(path)));
  await runCommand([...tools.mount, '-t', 'overlay', 'overlay', '-o', overlayOptions(image, layer), root]);
  // All of them, also when one fails: nobody may still be mounting while the folder is taken away.
  const kinds = await Promise.allSettled(mounts.map((mount, index) => stage(mount, stagedIn(own, index), tools)));
  for (const [index, { target }] of mounts.entries()) {
    const kind = kinds[index];
    if (kind?.status !== 'fulfilled') throw kind?.reason;
    if (isMadeBySandbox(target)) continue;
    await using point = await openInside(root, target, { outside: 'root', make: kind.value });
    await bind(tools, stagedIn(own, index), pathOf({ fd: 3 }), [point.fd]);
  }
  if (!isMadeBySandbox(workingDir)) {
    await using folder = await openInside(root, workingDir, { outside: 'root', make: 'folder' });
    if (!(await folder.stat()).isDirectory()) throw new ContainerConfigError(`${workingDir} is not a folder`);
  }
}

/** Gives a container a folder of its own, a mount itself, with which everything mounted in it goes. */
export async function ownFolder(own: string, tools: Toolbox): Promise<void> {
  await mkdir(own);
  await runCommand([...tools.mount, '--bind', own, own]);
}

/** Takes it away, all mounts at once and first: what was mounted in it is not removed. */
export async function removeOwnFolder(own: string, tools: Toolbox): Promise<void> {
  await runCommand([...tools.umount, '--lazy', own]);
  await removeTree(own);
}

/** Whether a path lies where the sandbox makes everything new. */
export function isMadeBySandbox(path: string): boolean {
  return /^\/(?:dev|proc)(?:\/|$)/.test(path);
}

/** Mounts what is to be mounted at a place that only we know, and tells what it is. */
async function stage({ source, inside, readOnly }: BindMount, at: string, tools: Toolbox): Promise<'folder' | 'file'> {
  const make = inside?.make === true ? 'folder' : undefined;
  const found = await openInside(source, inside?.path ?? '', { outside: 'escapes', make }).catch((error: Error) => {
    if (error instanceof PathEscapes) throw new ContainerConfigError(`${inside?.path} leads out of the volume`);
    throw error;
  });
  await using handle = found;
  const kind = (await handle.stat()).isDirectory() ? 'folder' : 'file';
  await (kind === 'folder' ? mkdir(at) : writeFile(at, ''));
  await bind(tools, pathOf({ fd: 3 }), at, [handle.fd], readOnly ? 'bind,ro' : 'bind');
  return kind;
}

async function bind(
  { mount }: Toolbox,
  source: string,
  target: string,
  descriptors: readonly number[],
  options = 'bind',
): Promise<void> {
  // Without asking which path a descriptor has, which could be another one when it is mounted.
  await runCommand([...mount, '--no-canonicalize', '-o', options, source, target], { name: 'mount', descriptors });
}

/** What the overlay file system is told: the image below, what the container writes above. */
export function overlayOptions(image: string, layer: { upper: string; work: string }): string {
  const folders = { lowerdir: image, upperdir: layer.upper, workdir: layer.work };
  const options = Object.entries(folders).map(
    ([name, path]) => `${name}=${path.replaceAll(/[\\:,]/g, String.raw`\$&`)}`,
  );
  return [...options, 'userxattr'].join(',');
}
