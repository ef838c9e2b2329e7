// SPDX-License-Identifier: Apache-2.0
// Packs forge-apiserver for npm: one folder of JavaScript and one archive, both in the named folder, dist/ by default.
import { execFile } from 'node:child_process';
import { chmod, copyFile, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import cli from '@forge/cli/package.json' with { type: 'json' };
import { bundle } from '@forge/cluster/images/bundle.ts';
import root from '../package.json' with { type: 'json' };

const name = 'forge-apiserver';
const destination = process.argv[2] ?? 'dist';
const folder = join(destination, name);
const program = `${name}.mjs`;

await rm(folder, { recursive: true, force: true });
await mkdir(folder, { recursive: true });
const { output } = await bundle(`apps/cli/${program}`, folder);
await chmod(`${folder}/${program}`, 0o755);
await writeFile(
  `${folder}/package.json`,
  JSON.stringify({
    name,
    version: cli.version,
    description: 'A Kubernetes API server for developing and testing controllers: no nodes, no etcd',
    license: root.license,
    type: 'module',
    bin: { [name]: program },
    // Node 24, for systems with an older one.
    optionalDependencies: root.optionalDependencies,
    engines: root.engines,
  }),
);
await writeFile(`${folder}/THIRD-PARTY-LICENSES`, await thirdPartyLicenses());
await copyFile('LICENSE', `${folder}/LICENSE`);
await promisify(execFile)('npm', ['pack', resolve(folder), '--pack-destination', destination]);
console.log(join(destination, `${name}-${cli.version}.tgz`));

/** The licences of all third-party packages in the bundle. */
async function thirdPartyLicenses(): Promise<string> {
  const modules = output.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []));
  const packages = modules.flatMap((id) => /.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id) ?? []);
  const texts = [...new Set(packages)].toSorted().map(async (path) => {
    const file = (await readdir(path)).find((each) => /^licen[cs]e/i.test(each));
    if (file === undefined) throw new Error(`${path} has no licence file`);
    return `${path.split('/node_modules/').at(-1)}\n\n${await readFile(`${path}/${file}`, 'utf8')}`;
  });
  return (await Promise.all(texts)).join(`\n${'-'.repeat(80)}\n`);
}
