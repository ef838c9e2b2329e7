// SPDX-License-Identifier: Apache-2.0
// Seeds every bug of an operator, or of all, and reports which test catches it: npm run bugs [-- OPERATOR]
import { availableParallelism } from 'node:os';
import { whyNotCaught } from '@forge/testing/bugs/operator-bugs.ts';
import { operatorNamed, operators } from '../operators/operators.ts';

const [, , chosen] = process.argv;
const loaded = (chosen === undefined ? operators : [operatorNamed(chosen)]).map(async ({ name, development }) =>
  (await development()).development.seededBugs.map((bug) => ({ operator: name, bug })),
);
const bugs = (await Promise.all(loaded)).flat();
let missed = 0;
const waiting = [...bugs];
// Each bug runs in its own process.
await Promise.all(Array.from({ length: availableParallelism() }, findNext));
console.log(`${bugs.length} bugs, ${missed} missed`);
process.exitCode = missed > 0 ? 1 : 0;

async function findNext(): Promise<void> {
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const { operator, bug } = next;
    const reason = await whyNotCaught(operator, bug);
    if (reason !== undefined) missed += 1;
    console.log(
      reason === undefined ? `caught: ${bug.name}: by "${bug.caughtBy[1]}"` : `MISSED: ${bug.name}: ${reason}`,
    );
  }
}
