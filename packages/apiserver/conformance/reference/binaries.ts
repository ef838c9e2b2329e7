// SPDX-License-Identifier: Apache-2.0
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { kubernetesVersion } from '@forge/kube/kinds/kubernetes-version.ts';
import { buildBinaries } from './build-binaries.ts';
import { etcdVersion } from './etcd-version.ts';

const run = promisify(execFile);

/** The expected output of `--version`. */
const versions = {
  'kube-apiserver': `Kubernetes ${kubernetesVersion}`,
  'kube-controller-manager': `Kubernetes ${kubernetesVersion}`,
  etcd: `etcd Version: ${etcdVersion.slice(1)}`,
};

/** The first folder with binaries of the right versions; `log` receives why others are not used. */
export async function existingBinaries(
  folders: readonly string[],
  log: (line: string) => void,
): Promise<string | undefined> {
  for (const folder of folders) {
    const wrong = await firstWrong(folder);
    if (wrong === undefined) return folder;
    log(`${folder} is not used: ${wrong}`);
  }
  return undefined;
}

/** Like `existingBinaries`, but builds the binaries into the last folder when there are none. */
export async function referenceBinaries(folders: readonly string[], log: (line: string) => void): Promise<string> {
  const existing = await existingBinaries(folders, log);
  if (existing !== undefined) return existing;
  const target = folders.at(-1) ?? '';
  log(`Building Kubernetes ${kubernetesVersion} and etcd ${etcdVersion} into ${target}; this takes a few minutes`);
  await buildBinaries(target);
  const wrong = await firstWrong(target);
  if (wrong !== undefined) throw new Error(`The binaries built into ${target} do not match: ${wrong}`);
  return target;
}

/** Whether binaries can be built: Go is on the PATH. */
export async function canBuildBinaries(): Promise<boolean> {
  return run('go', ['version']).then(
    () => true,
    () => false,
  );
}

/** Why the binaries of a folder do not match; undefined when they do. */
async function firstWrong(folder: string): Promise<string | undefined> {
  for (const [program, version] of Object.entries(versions)) {
    try {
      const { stdout } = await run(join(folder, program), ['--version']);
      if (stdout.split('\n')[0] !== version) return `${program} says "${stdout.trim()}", not "${version}"`;
    } catch (error) {
      return `${program} does not run (${(error as Error).message.trim()})`;
    }
  }
  return undefined;
}
