// SPDX-License-Identifier: Apache-2.0
import { PersistentVolume } from '@forge/kube/kinds/builtin.ts';
import { listAndWatch } from '@forge/runtime/cache/list-and-watch.ts';
import { objectStore } from '@forge/runtime/cache/object-store.ts';
import type { WatchContext } from '../../objects/watched-objects.ts';
import { folderIn } from '../mounts/folder-in.ts';
import { removeTree } from '../mounts/remove-tree.ts';

/** Removes the folder of a PersistentVolume when its deletion is observed. */
export function reclaimVolumes(volumesDir: string, context: WatchContext, signal: AbortSignal): void {
  const store = objectStore<PersistentVolume>(new Set());
  store.onChange(({ before, after }) => {
    if (after || before?.spec?.persistentVolumeReclaimPolicy !== 'Delete') return;
    const folder = folderIn(volumesDir, before.metadata.name);
    removeTree(folder).catch((error: Error) => {
      context.log.warn('cannot remove the folder of a deleted PersistentVolume', { folder, error });
    });
  });
  void listAndWatch({ ...context, kind: PersistentVolume, namespace: undefined, store, onListed() {}, signal });
}
