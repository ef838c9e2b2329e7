// SPDX-License-Identifier: Apache-2.0
import { mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileDigests } from '../host/file-digests.ts';
import { withFileLock } from '../host/file-lock.ts';
import { CommandError, runCommand } from '../host/run-command.ts';
import { aptConfiguration, assumedStatus, sourcesOf, type OtherRelease } from './apt-configuration.ts';
import type { DebianPackage } from './debian-lock.ts';

/** The host's apt with private state: it uses the host's sources, keys and proxies, but writes only to the cache. */
export interface Apt {
  /** The current versions of `names` and their dependencies. */
  resolve(names: readonly string[]): Promise<DebianPackage[]>;
  /** Those of `packages` that the archive still has in exactly this version; another hash is an error. */
  published(packages: readonly DebianPackage[]): Promise<DebianPackage[]>;
  /** Downloads missing packages; apt verifies signatures, we verify the hashes. */
  fetch(packages: readonly DebianPackage[]): Promise<void>;
  /** Those of `packages` that are not downloaded yet. */
  missing(packages: readonly DebianPackage[]): Promise<DebianPackage[]>;
  /** The path of a downloaded package. */
  fileOf(debianPackage: DebianPackage): string;
}

/** The release of apt's packages, and a signal to abort. */
export interface AptOptions {
  /** A Debian release other than that of the machine, from the same mirrors. */
  release?: OtherRelease | undefined;
  signal?: AbortSignal | undefined;
}

/** Sets up apt in `cacheDir`, for root and for an ordinary user. */
export function privateApt(cacheDir: string, { release, signal }: AptOptions = {}): Apt {
  const state = join(cacheDir, release === undefined ? 'apt' : `apt-${release.wanted}`);
  const debs = join(cacheDir, 'debs');
  const configuration = join(state, 'apt.conf');
  const apt = (args: readonly string[], cwd = state): Promise<string> =>
    runCommand(['env', 'LC_ALL=C', 'apt-get', '--config-file', configuration, '--quiet=2', ...args], {
      name: `apt-get ${args[0]}`,
      cwd,
      signal,
    });

  /** Returns the error of an unreachable source: another source may still have the packages. */
  const update = async (): Promise<unknown> => {
    const folders = ['lists/partial', 'cache/archives/partial'];
    await Promise.all(folders.map((folder) => mkdir(join(state, folder), { recursive: true })));
    await writeFile(join(state, 'status'), assumedStatus());
    await writeFile(configuration, aptConfiguration(state));
    if (release !== undefined) {
      const sources = join(state, 'sources.list');
      await writeFile(sources, sourcesOf(release, await apt(['update', '--quiet=0', '--print-uris'])));
      await writeFile(configuration, aptConfiguration(state, sources));
    }
    return apt(['update', '--option', 'APT::Update::Error-Mode=any']).then(
      () => undefined,
      (error: unknown) => error,
    );
  };
  let updated: Promise<unknown> | undefined;
  const ask = async (args: readonly string[], cwd?: string): Promise<string> => {
    let failure: unknown;
    try {
      failure = await (updated ??= withFileLock(join(cacheDir, 'locks', 'apt'), signal, update));
      return await apt(args, cwd);
    } catch (error) {
      updated = undefined; // the next call updates again: the network may be available then
      throw failure ?? error;
    }
  };

  const fileOf = ({ sha256 }: DebianPackage): string => join(debs, `${sha256}.deb`);
  const missing = async (packages: readonly DebianPackage[]): Promise<DebianPackage[]> => {
    await mkdir(debs, { recursive: true });
    const present = new Set(await readdir(debs));
    return packages.filter(({ sha256 }) => !present.has(`${sha256}.deb`));
  };

  return {
    fileOf,
    missing,
    async resolve(names) {
      return parseUris(await ask(['install', '--print-uris', '--yes', '--no-install-recommends', ...names]));
    },
    async published(packages) {
      const offered = parseUris(await ask(['download', '--print-uris', ...packages.map(exactly)]).catch(outputOf));
      const byName = new Map(offered.map((offer) => [offer.name, offer]));
      return packages.filter((wanted) => {
        const offer = byName.get(wanted.name);
        if (offer && offer.sha256 !== wanted.sha256) throw new Error(otherHash(wanted, offer.sha256));
        return offer !== undefined;
      });
    },
    async fetch(packages) {
      const wanted = await missing(packages);
      if (wanted.length === 0) return;
      const folder = await mkdtemp(join(debs, '.download-'));
      try {
        await ask(['download', ...wanted.map(exactly)], folder);
        const files = new Map(
          (await readdir(folder)).map((file) => [file.slice(0, file.indexOf('_')), join(folder, file)]),
        );
        const downloaded = wanted.map((debianPackage) => {
          const file = files.get(debianPackage.name);
          if (!file) throw new Error(`apt-get did not download ${exactly(debianPackage)}`);
          return { debianPackage, file };
        });
        const digests = await fileDigests().of(
          downloaded.map(({ file }) => file),
          signal,
        );
        for (const [index, { debianPackage, file }] of downloaded.entries()) {
          const sha256 = digests[index] ?? '';
          if (sha256 !== debianPackage.sha256) throw new Error(otherHash(debianPackage, sha256));
          await rename(file, fileOf(debianPackage));
        }
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    },
  };
}

/** Parses apt's `'uri' name_version_arch.deb size SHA256:hash` lines. */
export function parseUris(output: string): DebianPackage[] {
  return output
    .trim()
    .split('\n')
    .filter(Boolean)
    .map((line) => {
      const found = /^'[^']+' (?<name>[^_]+)_(?<version>[^_]+)_[^_]+\.deb \d+ SHA256:(?<sha256>[0-9a-f]{64})$/.exec(
        line,
      );
      const { name, version, sha256 } = found?.groups ?? {};
      if (!name || !version || !sha256) throw new Error(`apt-get printed an unexpected line: ${line}`);
      return { name, version: decodeURIComponent(version), sha256 };
    });
}

const exactly = ({ name, version }: DebianPackage): string => `${name}=${version}`;

const otherHash = (wanted: DebianPackage, sha256: string): string =>
  `Debian package ${exactly(wanted)} has sha256 ${sha256}, but the lock has ${wanted.sha256}: the archive is compromised or the lock is wrong`;

/** The output of a failed apt-get: when one of several versions is missing, it prints the others first. */
function outputOf(error: unknown): string {
  if (error instanceof CommandError && /was not found|Unable to locate package/.test(error.message))
    return error.stdout;
  throw error;
}
