// SPDX-License-Identifier: Apache-2.0
import { readFileIfExists } from '../host/read-file-if-exists.ts';

/** One Debian package in one version, with the hash of its file. */
export interface DebianPackage {
  name: string;
  version: string;
  sha256: string;
}

/** The locked packages of one distribution: each root's closure by name, and every package once. */
export interface DebianLock {
  roots: Record<string, string[]>;
  packages: Record<string, { version: string; sha256: string }>;
}

/** The committed lock of a distribution, or undefined when we keep none for it. */
export async function readDebianLock(distribution: string): Promise<DebianLock | undefined> {
  const text = await readFileIfExists(lockFileOf(distribution));
  return text === undefined ? undefined : JSON.parse(text);
}

/** Where the lock of a distribution is committed. */
export function lockFileOf(distribution: string): URL {
  return new URL(`locks/${distribution}.json`, import.meta.url);
}

/** The packages the lock gives a root, or undefined when the lock does not know the root. */
export function lockedPackages(lock: DebianLock | undefined, root: string): DebianPackage[] | undefined {
  return lock?.roots[root]?.map((name) => {
    const locked = lock.packages[name];
    if (!locked)
      throw new Error(`the lock names ${name} in root ${root}, but has no version of it: run npm run images:lock`);
    return { name, ...locked };
  });
}
