// SPDX-License-Identifier: Apache-2.0
// Seeds every bug of an operator and says which test catches it: npm run bugs:keystone, npm run bugs:controlplane
import { availableParallelism } from 'node:os';
import { seededBugs as controlPlaneBugs } from '@forge/controlplane/test/bugs/seeded-bugs.ts';
import { seededBugs as keystoneBugs } from '@forge/keystone/test/bugs/seeded-bugs.ts';
import { whyNotCaught, type OperatorBug } from '@forge/runtime/testing/operator-bugs.ts';

const bugsOf: Readonly<Record<string, readonly OperatorBug[]>> = {
  keystone: keystoneBugs,
  controlplane: controlPlaneBugs,
};
const [, , operator = ''] = process.argv;
const bugs = bugsOf[operator];
if (bugs === undefined)
  throw new Error(`no operator is named "${operator}": choose ${Object.keys(bugsOf).join(' or ')}`);
let missed = 0;
const waiting = [...bugs];
// Each runs in a process of its own.
await Promise.all(Array.from({ length: availableParallelism() }, findNext));
console.log(`${bugs.length} bugs, ${missed} missed`);
process.exitCode = missed > 0 ? 1 : 0;

async function findNext(): Promise<void> {
  for (let bug = waiting.shift(); bug !== undefined; bug = waiting.shift()) {
    const reason = await whyNotCaught(operator, bug);
    if (reason !== undefined) missed += 1;
    console.log(
      reason === undefined ? `caught: ${bug.name}: by "${bug.caughtBy[1]}"` : `MISSED: ${bug.name}: ${reason}`,
    );
  }
}
