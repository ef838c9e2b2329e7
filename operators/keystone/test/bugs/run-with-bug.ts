// SPDX-License-Identifier: Apache-2.0
// Runs the tests of a file with a bug: node --test-name-pattern=<test> run-with-bug.ts <name of the bug>
import { bugSeeder } from '@forge/runtime/testing/bug-seeder.ts';
import { seededBugs } from './seeded-bugs.ts';

const bug = seededBugs.find(({ name }) => name === process.argv[2]);
if (bug === undefined) throw new Error(`no bug is named ${process.argv[2]}: the names are in seeded-bugs.ts`);
const [file] = bug.caughtBy;
await bugSeeder().load(
  { ...bug, file: `operators/keystone/${bug.file}` },
  new URL(`../../${file}`, import.meta.url).href,
);
