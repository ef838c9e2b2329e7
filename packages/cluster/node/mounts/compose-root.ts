// SPDX-License-Identifier: Apache-2.0
import { mkdir, writeFile, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { runCommand } from '../../host/run-command.ts';
import type { Toolbox } from '../../host/toolbox.ts';
import { ContainerConfigError } from '../references/container-config-error.ts';
import { openInside, PathEscapes } from './open-inside.ts';
import { removeTree } from './remove-tree.ts';
import { inherited, runMounts, type MountCommand } from './run-mounts.ts';

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
  const overlay = { options: overlayOptions(image, layer), source: 'overlay', target: root, type: 'overlay' };
  const kinds = await stage(own, mounts, overlay, tools);
  await place(own, mounts, kinds, tools);
  if (!isCreatedBySandbox(workingDir)) {
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
export function isCreatedBySandbox(path: string): boolean {
  return /^\/(?:dev|proc)(?:\/|$)/.test(path);
}

/** Mounts the overlay, and what is to be mounted in it at places that only we know; tells what each is. */
async function stage(
  own: string,
  mounts: readonly BindMount[],
  overlay: MountCommand,
  tools: Toolbox,
): Promise<('folder' | 'file')[]> {
  await using opened = new AsyncDisposableStack();
  const commands = [overlay];
  const descriptors: number[] = [];
  const kinds: ('folder' | 'file')[] = [];
  for (const [index, mount] of mounts.entries()) {
    const handle = opened.use(await openSource(mount));
    const kind = (await handle.stat()).isDirectory() ? 'folder' : 'file';
    const target = stagedIn(own, index);
    await (kind === 'folder' ? mkdir(target) : writeFile(target, ''));
    const source = inherited(descriptors.push(handle.fd));
    commands.push({ options: mount.readOnly ? 'bind,ro' : 'bind', source, target });
    kinds.push(kind);
  }
  await runMounts(commands, descriptors, tools);
  return kinds;
}

async function openSource({ source, inside }: BindMount): Promise<FileHandle> {
  try {
    const make = inside?.make === true ? 'folder' : undefined;
    return await openInside(source, inside?.path ?? '', { outside: 'escapes', make });
  } catch (error) {
    if (!(error instanceof PathEscapes)) throw error;
    throw new ContainerConfigError(`${inside?.path} leads out of the volume: ${error.message}`);
  }
}

/** Mounts what was staged where it belongs, together what does not lie in each other. */
async function place(
  own: string,
  mounts: readonly BindMount[],
  kinds: readonly ('folder' | 'file')[],
  tools: Toolbox,
): Promise<void> {
  const left = [...mounts.entries()].filter(([, { target }]) => !isCreatedBySandbox(target));
  while (left.length > 0) {
    const nested = left.findIndex(([, { target }], at) =>
      left.slice(0, at).some(([, outer]) => `${target}/`.startsWith(`${outer.target}/`)),
    );
    await using opened = new AsyncDisposableStack();
    const commands: MountCommand[] = [];
    const descriptors: number[] = [];
    for (const [index, { target }] of left.splice(0, nested === -1 ? left.length : nested)) {
      const point = opened.use(await openInside(rootIn(own), target, { outside: 'root', make: kinds[index] }));
      commands.push({
        options: 'bind',
        source: stagedIn(own, index),
        target: inherited(descriptors.push(point.fd)),
      });
    }
    await runMounts(commands, descriptors, tools);
  }
}

/** What the overlay file system is told: the image below, what the container writes above. */
export function overlayOptions(image: string, layer: { upper: string; work: string }): string {
  const folders = { lowerdir: image, upperdir: layer.upper, workdir: layer.work };
  const options = Object.entries(folders).map(
    ([name, path]) => `${name}=${path.replaceAll(/[\\:,]/g, String.raw`\$&`)}`,
  );
  return [...options, 'userxattr'].join(',');
}
