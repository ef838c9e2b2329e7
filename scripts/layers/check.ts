// SPDX-License-Identifier: Apache-2.0
// Checks the direction of imports between packages and between the rooms of a package, as layers.ts declares it, that
// packages import each other through their doors, that no two folders import each other, that every room has a subject, and
// that nothing but the declared files stands at the root of an operator.
import { globSync, lstatSync } from 'node:fs';
import { directionProblems, mutualImports } from './direction.ts';
import { doorProblems } from './doors.ts';
import { importsOf, layerOf } from './imports.ts';
import { layers } from './layers.ts';
import { roomProblems } from './rooms.ts';
import { rootProblems } from './roots.ts';

const sources = globSync('{apps,bench,examples,operators,packages,scripts}/**/*.{ts,mjs}', {
  exclude: (name) => name.endsWith('node_modules'),
});
const files = sources.filter((file) => file.endsWith('.ts') && layerOf(file) in layers);
const imports = sources.flatMap(importsOf);
const problems = [
  ...directionProblems(imports.filter(({ from }) => files.includes(from))),
  ...doorProblems(imports),
  ...mutualImports(imports),
  ...Object.keys(layers).flatMap((layer) => roomProblems(layer, files)),
  ...rootProblems(globSync('operators/*/*').filter((path) => !lstatSync(path).isDirectory())),
];
for (const problem of problems) console.log(problem);
console.log(`${files.length} files, ${problems.length} problems`);
process.exitCode = files.length === 0 || problems.length > 0 ? 1 : 0;
