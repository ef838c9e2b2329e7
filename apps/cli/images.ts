// SPDX-License-Identifier: Apache-2.0
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { ImageStore } from '@forge/cluster/images/image-store.ts';
import type { Progress } from './progress.ts';

/** Where assembled images are kept for every data folder of this user. */
export function imageCacheDir(environment = process.env): string {
  return join(environment['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'forge');
}

/** The store, telling the user what it fetches and builds. */
export function reportingImages(images: ImageStore, progress: Progress): ImageStore {
  return {
    ensure: (reference, options) =>
      images.ensure(reference, {
        onProgress(text) {
          progress.doing('images', `${reference}: ${text}`);
          options?.onProgress?.(text);
        },
      }),
  };
}
