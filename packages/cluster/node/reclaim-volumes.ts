// SPDX-License-Identifier: Apache-2.0
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { PersistentVolume } from '@forge/kube/builtin.ts';
import { listAndWatch } from '@forge/runtime/list-and-watch.ts';
import { objectStore } from '@forge/runtime/object-store.ts';
import type { WatchContext } from './watched-objects.ts';

/** Removes the folder of a PersistentVolume when that is deleted; only what is seen to go is removed. */
export function reclaimVolumes(volumesDir: string, context: WatchContext, signal: AbortSignal): void {
  const store = objectStore<PersistentVolume>(new Set());
  store.onChange(({ before, after }) => {
    if (after || before?.spec?.persistentVolumeReclaimPolicy !== 'Delete') return;
    const folder = join(volumesDir, before.metadata.name);
    rm(folder, { recursive: true, force: true }).catch((error: Error) => {
      context.log.warn('cannot remove the folder of a deleted PersistentVolume', { folder, error });
    });
  });
  void listAndWatch({ ...context, kind: PersistentVolume, namespace: undefined, store, onListed() {}, signal });
}
