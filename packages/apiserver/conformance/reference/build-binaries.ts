// SPDX-License-Identifier: Apache-2.0
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { kubernetesVersion } from '@forge/kube/kinds/kubernetes-version.ts';
import { etcdVersion } from './etcd-version.ts';

const run = promisify(execFile);

const programs = {
  'kube-apiserver': 'k8s.io/kubernetes/cmd/kube-apiserver',
  'kube-controller-manager': 'k8s.io/kubernetes/cmd/kube-controller-manager',
  etcd: 'go.etcd.io/etcd/server/v3',
};

/** Builds the binaries into a folder, with Go from the PATH. */
export async function buildBinaries(folder: string): Promise<void> {
  const workspace = await mkdtemp(join(tmpdir(), 'forge-kubernetes-'));
  const go = async (...args: string[]): Promise<string> => {
    const env = { ...process.env, CGO_ENABLED: '0' };
    return (await run('go', args, { cwd: workspace, env, maxBuffer: 64 * 1024 * 1024 })).stdout;
  };
  try {
    await writeFile(join(workspace, 'go.mod'), 'module forge.local/kubernetes\n');
    const downloaded = await go('mod', 'download', '-json', `k8s.io/kubernetes@${kubernetesVersion}`);
    const { GoMod } = JSON.parse(downloaded) as { GoMod: string };
    await writeFile(join(workspace, 'go.mod'), goModule(await readFile(GoMod, 'utf8')));
    await writeFile(join(workspace, 'programs.go'), programsSource());
    await go('mod', 'tidy');
    await mkdir(folder, { recursive: true });
    for (const [name, path] of Object.entries(programs)) {
      await go('build', '-trimpath', '-ldflags', linkerFlags, '-o', join(folder, name), path);
    }
  } catch (error) {
    throw new Error(`Kubernetes ${kubernetesVersion} could not be built into ${folder}; is Go on the PATH?`, {
      cause: error,
    });
  } finally {
    await rm(workspace, { recursive: true, force: true });
  }
}

const [major, minor, patch] = kubernetesVersion.slice(1).split('.');

const linkerFlags = [
  '-s -w',
  `-X k8s.io/component-base/version.gitVersion=${kubernetesVersion}`,
  `-X k8s.io/component-base/version.gitMajor=${major}`,
  `-X k8s.io/component-base/version.gitMinor=${minor}`,
].join(' ');

/** k8s.io/kubernetes replaces its staging modules; dependents must name their released versions. */
function goModule(kubernetesModule: string): string {
  const staging = [...kubernetesModule.matchAll(/^\s*(k8s\.io\/\S+) => \.\//gm)].map(([, name]) => name);
  return [
    'module forge.local/kubernetes',
    /^go .*$/m.exec(kubernetesModule)?.[0] ?? '',
    `require k8s.io/kubernetes ${kubernetesVersion}`,
    `require go.etcd.io/etcd/server/v3 ${etcdVersion}`,
    ...staging.map((name) => `replace ${name} => ${name} v0.${minor}.${patch}`),
    '',
  ].join('\n');
}

/** Imports the programs, so that `go mod tidy` keeps their dependencies. */
function programsSource(): string {
  const imports = Object.values(programs).map((path) => `import _ "${path}"`);
  return ['//go:build never', '', 'package programs', '', ...imports, ''].join('\n');
}
