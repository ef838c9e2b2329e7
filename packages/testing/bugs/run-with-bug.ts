// SPDX-License-Identifier: Apache-2.0
// Runs the tests of a file with a bug: node --test-name-pattern=<test> run-with-bug.ts <operator> <name of the bug>
import { bugSeeder } from './bug-seeder.ts';
import type { OperatorBug } from './operator-bugs.ts';

const [, , operator = '', wanted = ''] = process.argv;
const folder = new URL(`../../../operators/${operator}/`, import.meta.url);
const { seededBugs } = (await import(new URL('test/bugs/seeded-bugs.ts', folder).href)) as {
  seededBugs: readonly OperatorBug[];
};
const bug = seededBugs.find(({ name }) => name === wanted);
if (bug === undefined) throw new Error(`no bug of ${operator} is named ${wanted}: the names are in seeded-bugs.ts`);
const [file] = bug.caughtBy;
await bugSeeder().load({ ...bug, file: `operators/${operator}/${bug.file}` }, new URL(file, folder).href);
