// SPDX-License-Identifier: Apache-2.0
import { chmod, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { runCommand } from '@forge/cluster/host/run-command.ts';
import type { AssembledImage } from '@forge/cluster/images/image-store.ts';

/** Whether root runs the tests. */
export const isRoot = process.getuid?.() === 0;

const nobody = '65534';

/** The user of a program: the prefix of its command, its environment, and a private folder. */
export interface TestUser {
  prefix: readonly string[];
  env: NodeJS.ProcessEnv;
  folder: string;
}

/** The user who runs the tests. */
export async function currentUser(context: TestContext): Promise<TestUser> {
  return { prefix: [], env: process.env, folder: await privateFolder(context) };
}

/**
 * An ordinary user: the current one, or the user `nobody` when root runs the tests. Images must belong to the user who
 * runs the node, so `nobody` gets copies.
 */
export async function ordinaryUser(
  context: TestContext,
  images: () => Promise<readonly AssembledImage[]>,
): Promise<TestUser> {
  const user = await currentUser(context);
  if (!isRoot) return user;
  const { folder } = user;
  const cache = join(folder, '.cache');
  const layers = (await images()).flatMap(({ root, mounts }) => [root, ...mounts.map(({ source }) => source)]);
  const copies = [...new Set(layers.map((layer) => join(layer, '..')))];
  await runCommand(['mkdir', '-p', join(cache, 'forge/layers')]);
  await runCommand(['cp', '-a', ...copies, join(cache, 'forge/layers')]);
  await runCommand(['chown', '-R', `${nobody}:${nobody}`, folder]);
  return {
    prefix: ['setpriv', '--reuid', nobody, '--regid', nobody, '--clear-groups', '--inh-caps=-all', '--'],
    env: { ...process.env, HOME: folder, XDG_CACHE_HOME: cache },
    folder,
  };
}

async function privateFolder(context: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'forge-user-'));
  context.after(() => runCommand(['rm', '-rf', folder]));
  await chmod(folder, 0o700);
  return folder;
}
