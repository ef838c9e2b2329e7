// SPDX-License-Identifier: Apache-2.0
import { stat } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { boundedMap } from '@forge/runtime/collections/bounded-map.ts';
import { runCommand } from './run-command.ts';

/** Computes SHA-256 digests of files. */
export interface FileDigests {
  /** The digests of the files' bytes, in their order, in hexadecimal. */
  of(files: readonly (string | URL)[], signal?: AbortSignal): Promise<string[]>;
}

/** Far more than the files of all images. */
const maxRemembered = 4096;

/**
 * Computes digests in a child process, so that large files do not block this one, and caches them until a file changes:
 * otherwise every pull of an image with a large file would take a second.
 */
export function fileDigests(): FileDigests {
  const known = boundedMap<string>(maxRemembered);

  return {
    async of(files, signal) {
      const paths = files.map((file) => (typeof file === 'string' ? file : fileURLToPath(file)));
      const states = await Promise.all(paths.map(stateOf));
      const unknown = paths.filter((_, index) => known.get(states[index] ?? '') === undefined);
      const computed = new Map(unknown.length === 0 ? [] : await sha256Of([...new Set(unknown)], signal));
      return paths.map((path, index) => {
        const state = states[index] ?? '';
        const digest = computed.get(path) ?? known.get(state) ?? '';
        known.set(state, digest);
        return digest;
      });
    },
  };
}

/** Differs whenever the file has changed: the kernel sets ctime at every change. */
async function stateOf(path: string): Promise<string> {
  const { dev, ino, size, mtimeNs, ctimeNs } = await stat(path, { bigint: true });
  return [dev, ino, size, mtimeNs, ctimeNs].join(' ');
}

async function sha256Of(paths: readonly string[], signal?: AbortSignal): Promise<[string, string][]> {
  const output = await runCommand(['sha256sum', '--zero', '--', ...paths], { name: 'sha256sum', signal });
  const lines = output.split('\0');
  return paths.map((path, index) => [path, lines[index]?.slice(0, 64) ?? '']);
}
