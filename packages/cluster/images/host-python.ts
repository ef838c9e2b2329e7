// SPDX-License-Identifier: Apache-2.0
import { access, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { hostCommand } from '../host/host-command.ts';
import { runCommand } from '../host/run-command.ts';

const systemCertificates = '/etc/ssl/certs/ca-certificates.crt';

/** The command that runs a root's Python on the host. */
function hostPython(root: string, ...variables: string[]): string[] {
  return ['env', `PYTHONHOME=${join(root, 'usr')}`, ...variables, ...hostCommand(root, 'usr/bin/python3')];
}

/**
 * The command that runs pip on the host, with the user's configuration, proxies and certificates; a host without
 * certificates uses those of the root.
 */
export async function hostPip(root: string): Promise<string[]> {
  const own = (await exists(systemCertificates)) ? [] : [`REQUESTS_CA_BUNDLE=${join(root, systemCertificates)}`];
  const variables = ['PIP_DISABLE_PIP_VERSION_CHECK=1', 'PIP_REQUIRE_VIRTUALENV=0', ...own];
  return [...hostPython(root, ...variables), join(root, await pipWheel(root), 'pip')];
}

/** The path of the pip wheel in a root; Python can run it directly. */
export async function pipWheel(root: string): Promise<string> {
  const folder = 'usr/share/python-wheels';
  const wheel = (await readdir(join(root, folder))).find((name) => name.startsWith('pip-'));
  if (!wheel) throw new Error(`root ${root} has no pip wheel in ${folder}: the package python3-pip-whl has changed`);
  return join(folder, wheel);
}

/** Compiles the standard library of a root's Python, if any: roots are read-only at runtime. */
export async function compileStandardLibrary(root: string, signal: AbortSignal | undefined): Promise<void> {
  if (!(await exists(join(root, 'usr/bin/python3')))) return;
  const libraries = (await readdir(join(root, 'usr/lib'))).filter((name) => /^python3\.\d+$/.test(name));
  const folders = libraries.map((name) => join(root, 'usr/lib', name));
  const command = [...hostPython(root), '-m', 'compileall', '-q', '-j', '0', '-s', root, '-p', '/', ...folders];
  await runCommand(command, { name: 'compileall', signal });
}

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );
