// SPDX-License-Identifier: Apache-2.0
import { ConfigMap, Deployment } from '@forge/kube/kinds/builtin.ts';
import { threadTime } from '@forge/testing/longest-block.ts';
import { benchServer } from '../harness/bench-server.ts';
import type { Figure } from '../harness/figure.ts';
import { timesByName, median, rates, ratios } from '../harness/measure.ts';
import { configMap, largeDeployment, smallDeployment } from '../harness/objects.ts';

const count = 1000;
const rounds = 21;
// The compiler optimizes after this many.
const warmUps = 10;

/** Writes through the whole server in this process; the baseline is a JSON round trip of the same Deployment. */
export async function write(): Promise<Figure[]> {
  const { server, api } = await benchServer();
  const settled = largeDeployment('settled');
  const changing = [largeDeployment('changing', 'keystone:1'), largeDeployment('changing', 'keystone:2')] as const;
  const manager = { fieldManager: 'bench', force: true };
  for (const each of [settled, changing[0]]) {
    await api.apply(Deployment, each, manager);
    await api.patch(Deployment, each.metadata, 'merge', { spec: { paused: false } }, { fieldManager: 'other' });
    const status = { status: { replicas: 3, observedGeneration: 1 } };
    await api.patch(Deployment, each.metadata, 'merge', status, { subresource: 'status' });
  }
  const text = JSON.stringify(await api.get(Deployment, { namespace: 'default', name: 'settled' }));
  let serial = 0;
  const works = {
    roundTrip: () => repeat(() => JSON.stringify(JSON.parse(text))),
    createConfigMap: () => repeat(() => api.create(ConfigMap, configMap(`c-${(serial += 1)}`))),
    createSmall: () => repeat(() => api.create(Deployment, smallDeployment(`s-${(serial += 1)}`))),
    createLarge: () => repeat(() => api.create(Deployment, largeDeployment(`l-${(serial += 1)}`))),
    change: () => repeat((index) => api.apply(Deployment, changing[index & 1 ? 0 : 1], manager)),
    noOp: () => repeat(() => api.apply(Deployment, settled, manager)),
    get: () => repeat(() => api.get(Deployment, { namespace: 'default', name: 'settled' })),
  };
  const times = await timesByName(threadTime, works, rounds, warmUps);
  await server.close();
  // The speed of one machine varies by half within a day, so the goals are relative; 2 × is 12,000 a second where a
  // round trip takes 42 µs.
  const figure = (what: string, each: readonly number[], atMost?: number): Figure => ({
    what,
    samples: ratios(each, times.roundTrip),
    unit: '× a round trip',
    ...(atMost !== undefined && { goal: { atMost } }),
    ratio: `${median(rates(count, each)).toFixed(0)} a second`,
  });
  return [
    figure(`JSON round trip of the stored ${(text.length / 1024).toFixed(1)} KB Deployment`, times.roundTrip),
    figure('create a ConfigMap of 1 KB', times.createConfigMap, 0.8),
    figure('create a Deployment of 1 KB', times.createSmall, 1.7),
    figure('create a Deployment of 3 KB', times.createLarge, 2),
    figure('apply a Deployment of 3 KB, one field changed', times.change, 6),
    figure('apply a Deployment of 3 KB, nothing changed', times.noOp, 2),
    figure('get a Deployment', times.get),
  ];
}

async function repeat(work: (index: number) => unknown): Promise<void> {
  for (let index = 0; index < count; index += 1) await work(index);
}
