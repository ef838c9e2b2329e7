// SPDX-License-Identifier: Apache-2.0
import { execFile } from 'node:child_process';
import { constants } from 'node:fs';
import { access, copyFile, cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { kubernetesVersion } from '@forge/kube/kinds/kubernetes-version.ts';
import { clientsCache } from './clients-cache.ts';

/** Versions of the tested third-party programs. */
export const releases = {
  helm: { module: 'helm.sh/helm/v3@v3.22.0', program: './cmd/helm', toolchain: 'auto' },
  // It depends on internals of Go's testing package that newer versions changed.
  chainsaw: { module: 'github.com/kyverno/chainsaw@v0.2.14', program: '.', toolchain: 'go1.24.9' },
};

const clientGo = `v0.${kubernetesVersion.split('.').slice(1).join('.')}`;

const env = { ...process.env, CGO_ENABLED: '0', GOFLAGS: '-trimpath' };

async function go(args: readonly string[], cwd?: string, toolchain = 'auto'): Promise<string> {
  const options = { env: { ...env, GOTOOLCHAIN: toolchain }, maxBuffer: 64 * 1024 * 1024, cwd };
  const { stdout } = await promisify(execFile)('go', args, options);
  return stdout;
}

/** A released program, built with Go on the first call: in its own module, with the checksums it was released with. */
export async function released(name: keyof typeof releases): Promise<string> {
  const { module, program, toolchain } = releases[name];
  const target = join(clientsCache(), module.replaceAll('/', '_'), name);
  if (await isThere(target)) return target;
  const { Dir: source } = JSON.parse(await go(['mod', 'download', '-json', module])) as { Dir: string };
  const workspace = await mkdtemp(join(tmpdir(), `forge-${name}-`));
  try {
    // The module cache is read-only.
    await cp(source, workspace, { recursive: true, mode: constants.COPYFILE_FICLONE });
    await go(['build', '-ldflags=-s -w', '-o', target, program], workspace, toolchain);
  } finally {
    await promisify(execFile)('chmod', ['--recursive', 'u+w', workspace]);
    await rm(workspace, { recursive: true, force: true });
  }
  return target;
}

/** Our own program with client-go of the server's Kubernetes version; rebuilt when its source may have changed. */
export async function clientGoProgram(): Promise<{ program: string; release: string }> {
  const workspace = await mkdtemp(join(tmpdir(), 'forge-client-go-'));
  const program = join(clientsCache(), 'client-go');
  try {
    await mkdir(clientsCache(), { recursive: true });
    await copyFile(fileURLToPath(new URL('client-go/main.go', import.meta.url)), join(workspace, 'main.go'));
    const modules = ['api', 'apimachinery', 'client-go'].map((module) => `require k8s.io/${module} ${clientGo}`);
    await writeFile(join(workspace, 'go.mod'), ['module forge.local/clients', 'go 1.26.0', ...modules, ''].join('\n'));
    await go(['mod', 'tidy'], workspace);
    await go(['build', '-ldflags=-s -w', '-o', program, '.'], workspace);
  } finally {
    await rm(workspace, { recursive: true, force: true });
  }
  return { program, release: `k8s.io/client-go@${clientGo}` };
}

const isThere = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );
