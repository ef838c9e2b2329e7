// SPDX-License-Identifier: Apache-2.0
import { mkdir, rmdir, writeFile, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { runCommand } from '../../host/run-command.ts';
import type { Toolbox } from '../../host/toolbox.ts';
import { ContainerConfigError } from '../references/container-config-error.ts';
import { openInside, PathEscapes } from './open-inside.ts';
import { overlayOptions } from './overlay.ts';
import { inherited, runMounts, type Mount } from './run-mounts.ts';
import { tmpfsOptions } from './tmpfs.ts';

/** A file or folder of the node that is mounted in a container. */
export interface BindMount {
  source: string;
  /** The path inside the source, as the pod specifies it; with `make`, a missing folder is created. */
  inside?: { path: string; make: boolean };
  target: string;
  readOnly: boolean;
  /** Whether it is a folder of an image, to which no pod can write. */
  isLayer?: boolean;
}

/** The parts of a container's root. */
interface RootParts {
  /** The image's root folder. */
  image: string;
  /** In mount order: a nested mount comes after its parent. */
  mounts: readonly BindMount[];
  workingDir: string;
}

/** The path of a container's root in its own folder. */
export function rootIn(own: string): string {
  return join(own, 'root');
}

/** The path of a staged mount in a container's own folder. */
export function stagedIn(own: string, index: number): string {
  return join(own, 'mounts', String(index));
}

function tableIn(own: string): string {
  return join(own, 'fstab');
}

/**
 * Composes a container's root in its own folder: the image as the lower layer, a writable upper layer, and the mounts,
 * except those below /dev, which stay staged.
 *
 * Guarantees: sources and targets are opened inside the volume or the root and mounted by descriptor, so that
 * concurrent changes of names and links by a pod have no effect.
 */
export async function composeRoot(own: string, { image, mounts, workingDir }: RootParts, tools: Toolbox) {
  const root = rootIn(own);
  await Promise.all(['upper', 'work', 'root', 'mounts', 'empty'].map((part) => mkdir(join(own, part))));
  const kinds = await stageMounts(own, mounts, image, tools);
  await place(own, mounts, kinds, tools);
  if (!isCreatedBySandbox(workingDir)) {
    await using folder = await openInside(root, workingDir, { outside: 'root', make: 'folder' });
    if (!(await folder.stat()).isDirectory()) throw new ContainerConfigError(`${workingDir} is not a directory`);
  }
}

/** Creates a container's own folder as a mount of this size in bytes: unmounting it unmounts everything in it. */
export async function ownFolder(own: string, size: number, tools: Toolbox): Promise<void> {
  await mkdir(own);
  const options = tmpfsOptions(size, '0700');
  await runCommand([...tools.mount, '-t', 'tmpfs', '-o', options, 'tmpfs', own]);
}

/** Removes a container's own folder. Unmounting it deletes its content, but not that of other mounts in it. */
export async function removeOwnFolder(own: string, tools: Toolbox): Promise<void> {
  await runCommand([...tools.umount, '--lazy', own]);
  await rmdir(own);
}

/** Whether the sandbox creates everything at this path. */
export function isCreatedBySandbox(path: string): boolean {
  return /^\/(?:dev|proc)(?:\/|$)/.test(path);
}

/** Mounts the overlay and stages the sources at private paths; returns whether each is a file or a folder. */
async function stageMounts(
  own: string,
  mounts: readonly BindMount[],
  image: string,
  tools: Toolbox,
): Promise<('folder' | 'file')[]> {
  await using opened = new AsyncDisposableStack();
  const descriptors: number[] = [];
  const inherit = (handle: FileHandle) => inherited(descriptors.push(opened.use(handle).fd));
  const folder = async (path: string) => inherit(await openInside(path, '', { outside: 'escapes' }));
  const [lower, writable, empty] = [await folder(image), await folder(own), await folder(join(own, 'empty'))];
  const mountTable: Mount[] = [overlay(overlayOptions.writable(lower, writable), rootIn(own))];
  const kinds: ('folder' | 'file')[] = [];
  for (const [index, mount] of mounts.entries()) {
    const handle = await openSource(mount);
    const source = inherit(handle);
    const kind = (await handle.stat()).isDirectory() ? 'folder' : 'file';
    const target = stagedIn(own, index);
    await (kind === 'folder' ? mkdir(target) : writeFile(target, ''));
    const bind = { options: mount.readOnly ? 'bind,ro' : 'bind', source, target };
    mountTable.push(mount.isLayer === true ? overlay(overlayOptions.readOnly(source, empty), target) : bind);
    kinds.push(kind);
  }
  await runMounts(mountTable, descriptors, { table: tableIn(own), tools });
  return kinds;
}

function overlay(options: string, target: string): Mount {
  return { options, source: 'overlay', target, type: 'overlay' };
}

async function openSource({ source, inside }: BindMount): Promise<FileHandle> {
  try {
    const make = inside?.make === true ? 'folder' : undefined;
    return await openInside(source, inside?.path ?? '', { outside: 'escapes', make });
  } catch (error) {
    if (!(error instanceof PathEscapes)) throw error;
    throw new ContainerConfigError(`${inside?.path} leaves the volume: ${error.message}`);
  }
}

/** Mounts the staged sources at their targets; independent ones by one process. */
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
    const mountTable: Mount[] = [];
    const descriptors: number[] = [];
    for (const [index, { target }] of left.splice(0, nested === -1 ? left.length : nested)) {
      const point = opened.use(await openInside(rootIn(own), target, { outside: 'root', make: kinds[index] }));
      mountTable.push({
        options: 'bind',
        source: stagedIn(own, index),
        target: inherited(descriptors.push(point.fd)),
      });
    }
    await runMounts(mountTable, descriptors, { table: tableIn(own), tools });
  }
}
