// SPDX-License-Identifier: Apache-2.0
// Seeds every bug and says which test catches it: npm run bugs:keystone
import { whyNotCaught } from './run-tests.ts';
import { seededBugs } from './seeded-bugs.ts';

let missed = 0;
for (const bug of seededBugs) {
  const reason = await whyNotCaught(bug);
  if (reason !== undefined) missed += 1;
  console.log(reason === undefined ? `caught: ${bug.name}: by "${bug.caughtBy[1]}"` : `MISSED: ${bug.name}: ${reason}`);
}
console.log(`${seededBugs.length} bugs, ${missed} missed`);
process.exitCode = missed > 0 ? 1 : 0;
