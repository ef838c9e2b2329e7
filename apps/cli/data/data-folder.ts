// SPDX-License-Identifier: Apache-2.0
import { createHash } from 'node:crypto';
import { chmod, lstat, readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { readFileIfExists } from '@forge/runtime/process/read-file-if-exists.ts';
import { CliError } from '../terminal/cli-error.ts';
import { createFolder } from './create-folder.ts';
import { writePrivateFile } from './write-private-file.ts';

/** Incremented when the layout changes in a way that older programs cannot read. */
const format = 1;

/** A unix socket path has at most 107 bytes; the longest name below `run` takes this many. */
const maxSocketName = 24;

/** The persistent state of one local cluster. */
export interface DataFolder {
  dir: string;
  /** The folder of sockets; outside this folder when its path is too long for a socket. */
  run: string;
  path(...segments: string[]): string;
}

/** What a folder may contain before its first use: files of an empty disk, image recipes, or of a failed first use. */
const harmless: readonly string[] = ['lost+found', 'recipes', 'format.new'];

/** Opens the folder, creating it on first use; rejects one with other files or another format. */
export async function openDataFolder(directory: string): Promise<DataFolder> {
  const dir = resolve(directory);
  await createDataFolder(dir);
  await checkFormat(dir);
  await chmod(dir, 0o700);
  return { dir, run: await privateFolder(runFolderOf(dir)), path: (...segments) => join(dir, ...segments) };
}

/** The folder with the sockets of a data folder, which need not exist. */
export function runFolderOf(directory: string): string {
  const dir = resolve(directory);
  const run = join(dir, 'run');
  if (Buffer.byteLength(run) + maxSocketName <= 107) return run;
  const digest = createHash('sha256').update(dir).digest('hex').slice(0, 12);
  return join(tmpdir(), `forge-${process.getuid?.() ?? 0}-${digest}`);
}

async function createDataFolder(dir: string): Promise<void> {
  try {
    await createFolder(dir);
  } catch (error) {
    const { message } = error as Error;
    throw new CliError(`${dir} cannot be used (${message}). Choose another folder with --data.`, undefined, {
      cause: error,
    });
  }
}

async function checkFormat(dir: string): Promise<void> {
  const file = join(dir, 'format');
  const found = (await readFileIfExists(file))?.toString();
  if (found === undefined) {
    await refuseOtherFiles(dir);
    return writePrivateFile(file, `${format}\n`);
  }
  if (found.trim() !== String(format)) {
    throw new CliError(
      `${dir} holds data of format ${found.trim()}; this forge reads format ${format}. ` +
        'Use the forge that wrote it, or another folder with --data.',
    );
  }
}

/** Rejects a folder with other files: they would become private and mix with those of forge. */
async function refuseOtherFiles(dir: string): Promise<void> {
  const other = (await readdir(dir)).find((name) => !harmless.includes(name));
  if (other === undefined) return;
  throw new CliError(
    `${dir} contains files that forge did not create, such as ${other}. Choose an empty or new folder with --data.`,
  );
}

/** A folder that only its owner can read, even inside a world-writable one. */
async function privateFolder(path: string): Promise<string> {
  await createFolder(path);
  const found = await lstat(path);
  if (!found.isDirectory() || found.uid !== (process.getuid?.() ?? found.uid)) {
    throw new CliError(`${path} belongs to another user. Remove it, or use a data folder with a shorter path.`);
  }
  await chmod(path, 0o700);
  return path;
}
