// SPDX-License-Identifier: Apache-2.0
import { join } from 'node:path';
import type { Toolbox } from '../../host/toolbox.ts';
import { openInside } from './open-inside.ts';
import { inherited, runMounts } from './run-mounts.ts';

/**
 * Options of overlay file systems. Containers can read these options, and for every other mount the path of its source:
 * therefore folders are passed by descriptor, and layers are mounted as overlays.
 */
export const overlayOptions = {
  /** An image with a writable layer in a container's own folder. */
  writable: (image: string, own: string) =>
    `lowerdir=${image},upperdir=${join(own, 'upper')},workdir=${join(own, 'work')},userxattr`,
  /** A single layer; the kernel requires two, so the other one is an empty folder. */
  readOnly: (layer: string, empty: string) => `ro,lowerdir=${layer}:${empty},userxattr`,
};

/** Mounts a layer, read-only. */
export async function mountLayer(
  layer: string,
  target: string,
  { empty, table, tools }: { empty: string; table: string; tools: Toolbox },
): Promise<void> {
  await using opened = new AsyncDisposableStack();
  const folders = [layer, empty];
  const handles = await Promise.all(folders.map((folder) => openInside(folder, '', { outside: 'escapes' })));
  for (const handle of handles) opened.use(handle);
  const options = overlayOptions.readOnly(inherited(1), inherited(2));
  const descriptors = handles.map(({ fd }) => fd);
  await runMounts([{ options, source: 'overlay', target, type: 'overlay' }], descriptors, { table, tools });
}
