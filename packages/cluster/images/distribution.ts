// SPDX-License-Identifier: Apache-2.0
import { readFile } from 'node:fs/promises';

/** The name of a lock: codename and Debian architecture. */
export function distributionOf(osRelease: string, arch: NodeJS.Architecture): string {
  const codename = /^VERSION_CODENAME="?([^"\n]+)"?$/m.exec(osRelease)?.[1] ?? 'unknown';
  return `${codename}-${arch === 'x64' ? 'amd64' : arch}`;
}

/** The distribution of this machine, whose packages the images use. */
export async function hostDistribution(): Promise<string> {
  return distributionOf(await readFile('/etc/os-release', 'utf8'), process.arch);
}
