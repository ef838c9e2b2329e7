// SPDX-License-Identifier: Apache-2.0
import { besieged } from './benchmarks/besieged.ts';
import { check } from './benchmarks/check.ts';
import { controlPlaneCost } from './benchmarks/control-plane-cost.ts';
import { crowded } from './benchmarks/crowded.ts';
import { durable } from './benchmarks/durable.ts';
import { executorMemory } from './benchmarks/executor-memory.ts';
import { fork } from './benchmarks/fork.ts';
import { hostile } from './benchmarks/hostile.ts';
import { https } from './benchmarks/https.ts';
import { informer } from './benchmarks/informer.ts';
import { kubernetes } from './benchmarks/kubernetes.ts';
import { launch } from './benchmarks/launch.ts';
import { list } from './benchmarks/list.ts';
import { localCluster } from './benchmarks/local-cluster.ts';
import { openbaoStart } from './benchmarks/openbao-start.ts';
import { openbao } from './benchmarks/openbao.ts';
import { operatorCost } from './benchmarks/operator-cost.ts';
import { operatorMemory } from './benchmarks/operator-memory.ts';
import { operatorStart } from './benchmarks/operator-start.ts';
import { otherPods } from './benchmarks/other-pods.ts';
import { podStart } from './benchmarks/pod-start.ts';
import { policies } from './benchmarks/policies.ts';
import { reconcile } from './benchmarks/reconcile.ts';
import { simulation } from './benchmarks/simulation.ts';
import { start } from './benchmarks/start.ts';
import { watch } from './benchmarks/watch.ts';
import { worlds } from './benchmarks/worlds.ts';
import { write } from './benchmarks/write.ts';
import { goalText, lineOf, reaches, type Figure } from './harness/figure.ts';
import { knownShortfalls } from './known-shortfalls.ts';

const benches: Record<string, () => Promise<Figure[]>> = {
  start,
  launch,
  write,
  durable,
  fork,
  list,
  policies,
  hostile,
  crowded,
  https,
  watch,
  informer,
  otherPods,
  reconcile,
  operatorStart,
  operatorMemory,
  operatorCost,
  kubernetes,
  check,
  controlPlaneCost,
  openbao,
  openbaoStart,
  executorMemory,
  simulation,
  worlds,
  podStart,
  localCluster,
  besieged,
};

const chosen = process.argv.slice(2);
for (const name of chosen) {
  if (!(name in benches)) {
    throw new Error(`There is no benchmark "${name}": choose one of ${Object.keys(benches).join(', ')}`);
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
const missed = figures.filter((figure) => !reaches(figure, figure.goal));
const verdicts = missed.map(verdictOf);
console.log(`\n${figures.length} figures, ${missed.length} short of their goal`);
for (const { text } of verdicts) console.log(text);
for (const { figure } of knownShortfalls) {
  const measured = figures.find(({ what }) => what === figure);
  if (measured !== undefined && !missed.includes(measured))
    console.log(`"${figure}" meets its goal: remove it from bench/known-shortfalls.ts once it does so repeatedly`);
}
if (verdicts.some(({ accepted }) => !accepted)) process.exitCode = 1;

/** Whether a figure that misses its goal is a known shortfall, and not worse than accepted. */
function verdictOf(figure: Figure): { accepted: boolean; text: string } {
  const known = knownShortfalls.find((each) => each.figure === figure.what);
  if (known === undefined) return { accepted: false, text: `✗ ${figure.what}` };
  const { accepted: floor, reason } = known;
  const accepted = reaches(figure, floor);
  const what = `${figure.what}: known to be short (accepted: ${goalText(floor)}), since ${reason}`;
  return { accepted, text: `${accepted ? '~' : '✗'} ${what}` };
}
