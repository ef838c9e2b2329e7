// SPDX-License-Identifier: Apache-2.0
// Writes the skeleton of a new operator and registers it: npm run new-operator NAME [KIND]
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { exitCodes } from '@forge/runtime/process/exit-code.ts';
import { refusalOf, writeOperator } from './write-operator.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const [, , name, kind = name?.replace(/^./, (letter) => letter.toUpperCase()) ?? ''] = process.argv;
const refusal =
  name === undefined ? 'name the operator: npm run new-operator NAME [KIND]' : await refusalOf(root, { name, kind });
if (name === undefined || refusal !== undefined) {
  console.error(refusal);
  process.exitCode = exitCodes.usage.code;
} else {
  const files = await writeOperator(root, { name, kind });
  // Other names have other lengths and another order.
  await promisify(execFile)('oxfmt', files, { cwd: root });
  for (const file of files.toSorted()) console.log(file);
  console.log(`
Next:
  npm install      links the package
  npm run docs     writes its manifests and reference pages
  npm run check    must pass
  PATH=$PWD/node_modules/.bin:$PATH node --test "operators/${name}/**/*.test.ts"
  npm run bugs -- ${name}
CONTRIBUTING.md says how to add fields, kinds and steps.`);
}
