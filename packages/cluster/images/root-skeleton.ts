// SPDX-License-Identifier: Apache-2.0
import { access, copyFile, mkdir, chmod, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { ImageFile, ImageUser, RootRecipe } from './recipe.ts';

/** Creates an empty root with a merged /usr, for the packages to be unpacked into. */
export async function prepareRoot(folder: string): Promise<void> {
  for (const name of ['bin', 'sbin', 'lib', 'lib64']) {
    await mkdir(join(folder, 'usr', name), { recursive: true });
    await symlink(`usr/${name}`, join(folder, name));
  }
}

/**
 * Adds what maintainer scripts or a container engine would create: users, mount points, sh, certificates; and the files
 * of the recipe.
 */
export async function finishRoot(recipe: RootRecipe, folder: string): Promise<void> {
  const folders = [
    'dev',
    'etc',
    'home',
    'opt',
    'proc',
    'root',
    'run',
    'srv',
    'sys',
    'tmp',
    'usr/local/bin',
    'var/lib',
    'var/log',
    'var/tmp',
  ];
  for (const name of [...folders, ...(recipe.directories ?? [])]) await mkdir(join(folder, name), { recursive: true });
  await linkUnlessThere('/run', join(folder, 'var/run'));
  await linkUnlessThere('dash', join(folder, 'usr/bin/sh'));
  for (const name of ['hostname', 'hosts', 'resolv.conf']) await writeFile(join(folder, 'etc', name), '');
  await writeFile(join(folder, 'etc/nsswitch.conf'), 'passwd: files\ngroup: files\nhosts: files dns\n');
  await writeFile(join(folder, 'etc/passwd'), passwdFileOf(recipe));
  await writeFile(join(folder, 'etc/group'), groupFileOf(recipe));
  await bundleCertificates(folder);
  await placeFiles(recipe.files, folder);
}

/** Copies the files of a recipe into an image's folder. */
export async function placeFiles(files: Readonly<Record<string, ImageFile>> = {}, folder: string): Promise<void> {
  for (const [path, { source, mode }] of Object.entries(files)) {
    const target = join(folder, path);
    await mkdir(dirname(target), { recursive: true });
    // The target may be a link, whose destination must not change.
    await rm(target, { force: true });
    await copyFile(source, target);
    await chmod(target, mode);
  }
}

/** The /etc/passwd of a root. */
export function passwdFileOf(recipe: RootRecipe): string {
  const own = usersOf(recipe).map(({ name, uid, gid, home }) => `${name}:x:${uid}:${gid}::${home}:/usr/sbin/nologin\n`);
  return `root:x:0:0:root:/root:/bin/sh\n${own.join('')}nobody:x:65534:65534:nobody:/nonexistent:/usr/sbin/nologin\n`;
}

/** The /etc/group of a root. */
export function groupFileOf(recipe: RootRecipe): string {
  const own = usersOf(recipe).map(({ name, gid }) => `${name}:x:${gid}:\n`);
  return `root:x:0:\n${own.join('')}nogroup:x:65534:\n`;
}

/** The users of a root and of its bases; its own user replaces one of the same name. */
function usersOf({ base, user }: RootRecipe): ImageUser[] {
  const inherited = (base ? usersOf(base) : []).filter(({ name }) => name !== user?.name);
  return user ? [...inherited, user] : inherited;
}

async function linkUnlessThere(target: string, path: string): Promise<void> {
  await symlink(target, path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
}

/** Bundles certificates like update-ca-certificates, for roots with the ca-certificates package. */
async function bundleCertificates(folder: string): Promise<void> {
  const shipped = join(folder, 'usr/share/ca-certificates/mozilla');
  if (
    !(await access(shipped).then(
      () => true,
      () => false,
    ))
  )
    return;
  const certificates = await Promise.all(
    (await readdir(shipped)).toSorted().map((name) => readFile(join(shipped, name), 'utf8')),
  );
  await mkdir(join(folder, 'etc/ssl/certs'), { recursive: true });
  await writeFile(join(folder, 'etc/ssl/certs/ca-certificates.crt'), certificates.join(''));
}
