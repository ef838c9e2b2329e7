// SPDX-License-Identifier: Apache-2.0
import { apiServer } from '@forge/apiserver/api-server.ts';
import { inProcessTransport } from '@forge/apiserver/wire/in-process-transport.ts';
import { client } from '@forge/kube/client/client.ts';
import { CustomResourceDefinition } from '@forge/kube/kinds/builtin.ts';
import { crdOf } from '@forge/kube/kinds/crd.ts';
import { manager } from '@forge/runtime/controller/manager.ts';
import { seededRandom } from '@forge/runtime/environment/seeded-random.ts';
import { virtualClock } from '@forge/runtime/environment/virtual-clock.ts';
import { logger } from '@forge/runtime/observability/logger.ts';
// Starts and stops a manager many times, and prints the heap growth in bytes per cycle; needs --expose-gc.
import { Theme, Website, websitesOperator } from '@forge/websites/websites.ts';

const cycles = 1000;
const warmUp = 400;
const perSample = 50;

const clock = virtualClock();
const random = seededRandom();
const server = await apiServer({ clock, random });
const api = client(inProcessTransport(server));
const log = logger({ clock, write: () => undefined });
for (const kind of [Website, Theme]) await api.create(CustomResourceDefinition, crdOf(kind));
await clock.settle();

async function cycle(): Promise<void> {
  const running = manager({ client: api, clock, random, log });
  for (const controller of websitesOperator({ farewell: () => Promise.resolve() }).controllers())
    running.add(controller);
  await running.start();
  await clock.settle();
  await running.stop();
  await clock.settle();
}

const samples: number[] = [];
for (let count = 1; count <= warmUp + cycles; count += 1) {
  await cycle();
  if (count < warmUp || count % perSample !== 0) continue;
  globalThis.gc?.();
  await clock.settle();
  globalThis.gc?.();
  samples.push(process.memoryUsage().heapUsed);
}
console.log(slopeOf(samples) / perSample);
await server.close();

/** The slope of the linear regression of the values. */
function slopeOf(values: readonly number[]): number {
  const middle = (values.length - 1) / 2;
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const spread = values.reduce((sum, _, index) => sum + (index - middle) ** 2, 0);
  return values.reduce((sum, value, index) => sum + (index - middle) * (value - mean), 0) / spread;
}
