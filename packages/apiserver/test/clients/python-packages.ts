// SPDX-License-Identifier: Apache-2.0
import { execFile, spawnSync } from 'node:child_process';
import { access, mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { clientsCache } from './clients-cache.ts';

const run = promisify(execFile);

/** Why the Python client cannot be tested on this machine; false when it can, and always in CI. */
export function withoutPython(): string | false {
  if (process.env['CI'] !== undefined || installers().length > 0) return false;
  return 'python3 with pip or venv is not installed';
}

/** The Python modules that can install packages on this machine: Debian ships each in a separate package. */
function installers(): string[] {
  return ['pip', 'ensurepip'].filter((module) => spawnSync('python3', ['-m', module, '--version']).status === 0);
}

/** The folder in which Python finds a release, such as `kubernetes==37.0.2`; installed once into the user's cache. */
export async function pythonPackages(release: string): Promise<string> {
  const folder = join(clientsCache(), `python-${release}`);
  if (
    await access(folder).then(
      () => true,
      () => false,
    )
  )
    return folder;
  await mkdir(clientsCache(), { recursive: true });
  const workspace = await mkdtemp(join(clientsCache(), 'installing-'));
  try {
    const packages = join(workspace, 'packages');
    await run(await pythonWithPip(workspace), ['-m', 'pip', 'install', '--quiet', '--target', packages, release]);
    await rename(packages, folder);
  } catch (cause) {
    throw new Error(`The Python package ${release} cannot be installed; are python3 and pip or venv installed?`, {
      cause,
    });
  } finally {
    await rm(workspace, { recursive: true, force: true });
  }
  return folder;
}

async function pythonWithPip(workspace: string): Promise<string> {
  if (installers().includes('pip')) return 'python3';
  const environment = join(workspace, 'environment');
  await run('python3', ['-m', 'venv', environment]);
  return join(environment, 'bin/python3');
}
