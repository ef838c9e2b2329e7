// SPDX-License-Identifier: Apache-2.0
import { execFile } from 'node:child_process';
import { readFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

/** The pages of the guide that have commands, in the order in which a reader comes to them. */
export const guidePages = [
  'install.md',
  'first-cluster.md',
  'keep-safe.md',
  'restore.md',
  'credentials.md',
  'backup.md',
  'seals.md',
  'scale.md',
  'upgrade.md',
  'troubleshoot.md',
  'tls.md',
  'delete-and-restore.md',
] as const;

/** Something that a reader does: runs a script, or applies a manifest. */
export interface GuideCommand {
  readonly script: string;
  /** What the script reads; undefined for nothing. */
  readonly input?: string;
}

/** What the blocks of a page ask a reader to do, from top to bottom; a block of the page is one script or one manifest. */
export async function commandsOf(page: (typeof guidePages)[number]): Promise<GuideCommand[]> {
  return commandsIn(await textOf(page));
}

/** The same, by section; those without a command are left out. */
export async function sectionsOf(page: (typeof guidePages)[number]): Promise<[title: string, GuideCommand[]][]> {
  const sections = (await textOf(page)).split(/^#+ /m);
  return sections
    .map((text): [string, GuideCommand[]] => [text.split('\n', 1).join(), commandsIn(text)])
    .filter(([, commands]) => commands.length > 0);
}

const textOf = (page: string) => readFile(new URL(`../../guide/${page}`, import.meta.url), 'utf8');

function commandsIn(text: string): GuideCommand[] {
  const blocks = [...text.matchAll(/^( *)```(sh|yaml)\n(.*?)^ *```$/gms)];
  return blocks.map(([, indent = '', language, block = '']) => {
    const content = block.replaceAll(new RegExp(`^${indent}`, 'gm'), '');
    return language === 'sh' ? { script: content } : { script: 'kubectl apply -f -', input: content };
  });
}

const repository = fileURLToPath(new URL('../../../../', import.meta.url));

/** Makes the folder one in which the scripts find the manifests and the programs. */
export async function prepareFolder(folder: string): Promise<void> {
  for (const name of ['operators', 'apps']) await symlink(join(repository, name), join(folder, name));
}

/** Runs a command as the administrator of a cluster, in this folder; returns its output. */
export async function runCommand(
  { script, input = '' }: GuideCommand,
  { kubeconfig, folder }: { kubeconfig: string; folder: string },
): Promise<string> {
  const env = { ...process.env, KUBECONFIG: kubeconfig };
  const running = promisify(execFile)('bash', ['-euo', 'pipefail', '-c', script], { cwd: folder, env });
  running.child.stdin?.end(input);
  const { stdout, stderr } = await running;
  return stdout + stderr;
}
