// SPDX-License-Identifier: Apache-2.0
import { readFileIfExists } from '@forge/runtime/process/read-file-if-exists.ts';

/** One version of a Debian package, with the hash of its file. */
export interface DebianPackage {
  name: string;
  version: string;
  sha256: string;
}

/** The locked packages of one distribution: the closure of each root by name, and every package once. */
export interface DebianLock {
  roots: Record<string, string[]>;
  packages: Record<string, { version: string; sha256: string }>;
}

/** The committed lock of a distribution; undefined when there is none. */
export async function readDebianLock(distribution: string): Promise<DebianLock | undefined> {
  const text = (await readFileIfExists(lockFileOf(distribution)))?.toString();
  return text === undefined ? undefined : JSON.parse(text);
}

/** The lock file of a distribution. */
export function lockFileOf(distribution: string): URL {
  return new URL(`locks/${distribution}.json`, import.meta.url);
}

/** The locked packages of a root; undefined when the lock does not have the root. */
export function lockedPackages(lock: DebianLock | undefined, root: string): DebianPackage[] | undefined {
  return lock?.roots[root]?.map((name) => {
    const locked = lock.packages[name];
    if (!locked)
      throw new Error(`the lock names ${name} in root ${root}, but has no version of it: run npm run images:lock`);
    return { name, ...locked };
  });
}
