// SPDX-License-Identifier: Apache-2.0
import { crowded } from './crowded.ts';
import { durable } from './durable.ts';
import { isMet, lineOf, type Figure } from './figure.ts';
import { fork } from './fork.ts';
import { hostile } from './hostile.ts';
import { https } from './https.ts';
import { informer } from './informer.ts';
import { launch } from './launch.ts';
import { list } from './list.ts';
import { operatorStart } from './operator-start.ts';
import { reconcile } from './reconcile.ts';
import { simulation } from './simulation.ts';
import { start } from './start.ts';
import { watch } from './watch.ts';
import { write } from './write.ts';

const benches: Record<string, () => Promise<Figure[]>> = {
  start,
  launch,
  write,
  durable,
  fork,
  list,
  hostile,
  crowded,
  https,
  watch,
  informer,
  reconcile,
  operatorStart,
  simulation,
};

const chosen = process.argv.slice(2);
for (const name of chosen) {
  if (!(name in benches)) {
    throw new Error(`There is no benchmark "${name}": choose of ${Object.keys(benches).join(', ')}`);
  }
}
const figures: Figure[] = [];
for (const [name, bench] of Object.entries(benches)) {
  if (chosen.length > 0 && !chosen.includes(name)) continue;
  console.log(`\n${name}`);
  for (const figure of await bench()) {
    console.log(lineOf(figure));
    figures.push(figure);
  }
}
const missed = figures.filter((figure) => !isMet(figure));
console.log(`\n${figures.length} figures, ${missed.length} short of their goal`);
