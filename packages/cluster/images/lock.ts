// SPDX-License-Identifier: Apache-2.0
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runCommand } from '../host/run-command.ts';
import { privateApt, type Apt } from './apt.ts';
import { catalogue, pip, programRoot } from './catalogue.ts';
import { type DebianLock, lockFileOf, readDebianLock } from './debian-lock.ts';
import { assembleDebianRoot } from './debian-root.ts';
import { distributionOf, hostRelease } from './distribution.ts';
import { hostPip } from './host-python.ts';
import type { RootRecipe, VenvRecipe } from './recipe.ts';
import { pythonLockOf } from './wheels.ts';

/** Locks the newest Debian packages, and the newest matching wheels. */
async function lockImages(cacheDir: string): Promise<void> {
  const host = await hostRelease();
  const roots = Map.groupBy(uniqueRoots(), ({ release = host }) => release);
  for (const [wanted, ofRelease] of roots) {
    const apt = privateApt(cacheDir, wanted === host ? {} : { release: { wanted, host } });
    await lockRoots(ofRelease, apt, distributionOf(wanted, process.arch));
  }

  const distribution = distributionOf(host, process.arch);
  const lock = await readDebianLock(distribution);
  const builder = join(cacheDir, 'pip');
  const options = { apt: privateApt(cacheDir), distribution, lock, log: console.log, progress: () => {} };
  await assembleDebianRoot(pip, builder, options);
  const uv = join(cacheDir, 'uv');
  await runCommand([...(await hostPip(builder)), 'install', '--quiet', '--target', uv, 'uv']);
  for (const { venv } of catalogue) if (venv) await lockVenv(venv, cacheDir, join(uv, 'bin/uv'));
}

async function lockRoots(roots: readonly RootRecipe[], apt: Apt, distribution: string): Promise<void> {
  const lock: DebianLock = { roots: {}, packages: {} };
  for (const root of roots) {
    const packages = (await apt.resolve(root.packages)).toSorted((a, b) => (a.name < b.name ? -1 : 1));
    lock.roots[root.name] = packages.map(({ name }) => name);
    for (const { name, version, sha256 } of packages) lock.packages[name] = { version, sha256 };
    console.log(`${root.name}: ${packages.length} packages of ${distribution}`);
  }
  const byName = Object.entries(lock.packages).toSorted(([a], [b]) => (a < b ? -1 : 1));
  const text = JSON.stringify({ ...lock, packages: Object.fromEntries(byName) }, undefined, 2);
  await writeFile(lockFileOf(distribution), `${text}\n`);
}

function uniqueRoots(): RootRecipe[] {
  return [...new Set([pip, programRoot, ...catalogue.map(({ root }) => root)])];
}

async function lockVenv(venv: VenvRecipe, cacheDir: string, uv: string): Promise<void> {
  const requirements = join(cacheDir, `${venv.name}.in`);
  await writeFile(requirements, venv.requirements.join('\n'));
  const plain = [
    '--generate-hashes',
    '--no-header',
    '--no-annotate',
    '--quiet',
    '--cache-dir',
    join(cacheDir, 'uv-cache'),
  ];
  const target = ['--only-binary', ':all:', '--python-version', '3.11', '--python-platform', 'x86_64-manylinux_2_36'];
  const output = ['--upgrade', '--output-file', fileURLToPath(pythonLockOf(venv))];
  await runCommand([uv, 'pip', 'compile', ...plain, ...target, ...output, requirements]);
  console.log(`${venv.name}: locked`);
}

const cacheDir = await mkdtemp(join(tmpdir(), 'forge-lock-'));
try {
  await lockImages(cacheDir);
} finally {
  await rm(cacheDir, { recursive: true, force: true });
}
