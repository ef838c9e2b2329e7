// SPDX-License-Identifier: Apache-2.0
import { existsSync, globSync } from 'node:fs';
import { chmod, mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseSync } from 'oxc-parser';

/** An operator that does not exist yet. */
export interface NewOperator {
  /** Its folder, and the beginning of its names. */
  name: string;
  /** The kind that it is about. */
  kind: string;
}

const skeleton = fileURLToPath(new URL('skeleton', import.meta.url));
const skeletonFiles = (): string[] => globSync('**/*.*', { cwd: skeleton, exclude: ['node_modules'] });

/** The name of the file and of the reference page of a kind. */
const fileName = (kind: string) => kind.replaceAll(/(?<=[a-z])(?=[A-Z])/g, '-').toLowerCase();

/** The plural of a kind, from which the name of its resource is made. */
export function pluralOf(kind: string): string {
  if (/(?:s|x|z|ch|sh)$/.test(kind)) return `${kind}es`;
  return /[^aeiou]y$/.test(kind) ? kind.replace(/y$/, 'ies') : `${kind}s`;
}

/** Why there cannot be such an operator below this folder, and what to do; undefined when there can. */
export async function refusalOf(root: string, { name, kind }: NewOperator): Promise<string | undefined> {
  if (!/^[a-z][a-z0-9]*$/.test(name)) {
    return `"${name}" cannot be the name of an operator: use lower-case letters and digits, as in "keystone"`;
  }
  if (!/^[A-Z][A-Za-z0-9]*$/.test(kind)) {
    return `"${kind}" cannot be a kind: begin with an upper-case letter, then letters and digits, as in "ControlPlane"`;
  }
  const taken = ['operators', 'packages', 'examples', 'apps'].find((folder) => existsSync(join(root, folder, name)));
  if (taken !== undefined) return `"${name}" is the name of ${taken}/${name}: choose another name`;
  const page = `docs/reference/${fileName(kind)}.md`;
  if (existsSync(join(root, page)))
    return `"${kind}" has a page already, ${page}: name another kind after the operator`;
  const texts = await Promise.all(skeletonFiles().map((file) => readFile(join(skeleton, file), 'utf8')));
  const word = [name, kind].find(
    (each) =>
      parseSync('name.ts', `const ${each} = 0;`).errors.length > 0 ||
      existsSync(join(skeleton, 'api', `${fileName(each)}.ts`)) ||
      texts.some((text) => new RegExp(`\\b${each}\\b`).test(text)),
  );
  return word && `"${word}" has a meaning in the code of every operator: choose another name`;
}

/** Writes the skeleton of an operator below this folder, and adds it to the register; returns the files. */
export async function writeOperator(root: string, operator: NewOperator): Promise<string[]> {
  const files = skeletonFiles().map(async (file) => {
    const source = join(skeleton, file);
    const renamed = file
      .replace('api/specimen', `api/${fileName(operator.kind)}`)
      .replaceAll('specimen', operator.name);
    const target = join('operators', operator.name, renamed);
    await mkdir(dirname(join(root, target)), { recursive: true });
    await writeFile(join(root, target), named(await readFile(source, 'utf8'), operator));
    await chmod(join(root, target), (await stat(source)).mode);
    return target;
  });
  const register = 'operators/operators.ts';
  const text = await readFile(join(root, register), 'utf8');
  await writeFile(join(root, register), registered(text, operator.name));
  return [...(await Promise.all(files)), register];
}

/** A text of the skeleton with the names of the operator. */
function named(text: string, { name, kind }: NewOperator): string {
  return text
    .replaceAll('../scripts/new-operator/skeleton', name)
    .replaceAll('reference/specimen', `reference/${fileName(kind)}`)
    .replaceAll('/specimen.ts', `/${fileName(kind)}.ts`)
    .replaceAll('specimens', pluralOf(kind).toLowerCase())
    .replaceAll('Specimens', pluralOf(kind))
    .replaceAll(/\b([Aa]) Specimen/g, /^[AEIOU]/.test(kind) ? '$1n Specimen' : '$&')
    .replaceAll('SpecimenOperator', `${name.replace(/^./, (letter) => letter.toUpperCase())}Operator`)
    .replaceAll('Specimen', kind)
    .replaceAll('specimen', name);
}

/** The register with another operator at its end. */
function registered(text: string, name: string): string {
  return text
    .replace(
      /^import .*\/register\.ts';\n(?!import .*\/register\.ts';)/m,
      (last) => `${last}import { ${name} } from '@forge/${name}/register.ts';\n`,
    )
    .replace(/(?<=^const registered = \[[^\]]*)(?=\])/m, `, ${name}`);
}
