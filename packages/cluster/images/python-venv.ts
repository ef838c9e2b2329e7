// SPDX-License-Identifier: Apache-2.0
import { join } from 'node:path';
import { hostCommand } from '../host/host-command.ts';
import { runCommand } from '../host/run-command.ts';
import { pipWheel } from './host-python.ts';
import type { VenvRecipe } from './recipe.ts';
import { placeFiles } from './root-skeleton.ts';

/** Options for assembling a virtual environment. */
export interface PythonVenvOptions {
  /** The folders of the roots: the target Python's, pip's, and the node's tools. */
  roots: { image: string; pip: string; tools: string };
  /** Folder of the wheels. */
  wheels: string;
  /** File of the locked requirements. */
  lock: string;
  progress: (text: string) => void;
  signal?: AbortSignal | undefined;
}

/** Installs locked wheels into `folder`, offline, for the path where containers mount it. */
export async function assemblePythonVenv(
  recipe: VenvRecipe,
  folder: string,
  options: PythonVenvOptions,
): Promise<void> {
  const { roots, wheels, lock, progress, signal } = options;
  const sandbox = [
    ['--unshare-all', '--die-with-parent', '--clearenv'],
    ['--ro-bind', roots.image, '/'],
    ['--proc', '/proc', '--dev', '/dev', '--tmpfs', '/tmp'],
    ['--ro-bind', roots.pip, '/tmp/pip'],
    ['--ro-bind', wheels, '/tmp/wheels'],
    ['--ro-bind', lock, '/tmp/lock.txt'],
    ['--bind', folder, recipe.path],
  ].flat();
  const bwrap = hostCommand(roots.tools, 'usr/bin/bwrap');
  const inside = (name: string, ...command: string[]): Promise<string> =>
    runCommand([...bwrap, ...sandbox, ...command], { name, signal });

  const python = join(recipe.path, 'bin/python3');
  const pip = join('/tmp/pip', await pipWheel(roots.pip), 'pip');
  const offline = ['--no-index', '--find-links', '/tmp/wheels', '--no-deps', '--no-compile'];
  const locked = ['--require-hashes', '--requirement', '/tmp/lock.txt'];
  progress(`installing the Python packages of ${recipe.name}`);
  await inside('venv', '/usr/bin/python3', '-m', 'venv', '--without-pip', recipe.path);
  await inside('pip install', python, pip, 'install', '--quiet', ...offline, ...locked);
  progress(`compiling the Python packages of ${recipe.name}`);
  await inside('compileall', python, '-m', 'compileall', '-q', '-j', '0', join(recipe.path, 'lib'));
  await placeFiles(recipe.files, folder);
}
