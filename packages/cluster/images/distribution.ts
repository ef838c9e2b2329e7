// SPDX-License-Identifier: Apache-2.0
import { readFile } from 'node:fs/promises';

/** The name of a lock: codename and Debian architecture. */
export function distributionOf(codename: string, arch: NodeJS.Architecture): string {
  return `${codename}-${arch === 'x64' ? 'amd64' : arch}`;
}

/** The codename in an os-release file. */
export function codenameOf(osRelease: string): string {
  return /^VERSION_CODENAME="?([^"\n]+)"?$/m.exec(osRelease)?.[1] ?? 'unknown';
}

/** The release of this machine, whose packages images use unless they name another. */
export async function hostRelease(): Promise<string> {
  return codenameOf(await readFile('/etc/os-release', 'utf8'));
}
