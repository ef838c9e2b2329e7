// SPDX-License-Identifier: Apache-2.0
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { ImageStore } from '@forge/cluster/images/image-store.ts';
import type { Progress } from '../terminal/progress.ts';

/** The image cache, shared by all data folders of this user. */
export function imageCacheDir(environment = process.env): string {
  return join(environment['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'forge');
}

/** The store, with progress and errors shown to the user; a repeated error of an image is shown once. */
export function reportingImages(images: ImageStore, progress: Progress): ImageStore {
  const shown = new Map<string, string>();
  return {
    async ensure(reference, options) {
      const show = (text: string) => progress.doing('images', `${reference}: ${text}`);
      try {
        return await images.ensure(reference, {
          onProgress(text) {
            show(text);
            options?.onProgress?.(text);
          },
        });
      } catch (error) {
        const message = error instanceof Error ? error.message : String(error);
        if (shown.get(reference) !== message) show(message);
        shown.set(reference, message);
        throw error;
      }
    },
  };
}
