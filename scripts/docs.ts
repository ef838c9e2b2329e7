// SPDX-License-Identifier: Apache-2.0
// Writes the reference pages of our kinds; with --check it only says whether they are current.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { referenceOf } from '@forge/kube/reference.ts';
import { Keystone } from '../operators/keystone/keystone.ts';

const pages: Readonly<Record<string, string>> = {
  'docs/reference/keystone.md': referenceOf(Keystone),
};

const isCheck = process.argv.includes('--check');
for (const [path, text] of Object.entries(pages)) {
  const file = fileURLToPath(new URL(`../${path}`, import.meta.url));
  const current = await readFile(file, 'utf8').catch(() => '');
  if (current === text) continue;
  if (isCheck) {
    console.error(`${path} is not current: npm run docs`);
    process.exitCode = 1;
  } else {
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
    console.log(`${path} written`);
  }
}
