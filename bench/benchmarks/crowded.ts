// SPDX-License-Identifier: Apache-2.0
import type { PodSpec } from '@forge/kube/generated/types.ts';
import { ConfigMap, Deployment, Pod } from '@forge/kube/kinds/builtin.ts';
import type { KubeObject } from '@forge/kube/objects/object.ts';
import { threadTime } from '@forge/testing/longest-block.ts';
import { benchServer } from '../harness/bench-server.ts';
import type { Figure } from '../harness/figure.ts';
import { timed } from '../harness/measure.ts';
import { configMap, largeDeployment } from '../harness/objects.ts';

const count = 20_000;
const rounds = 5;
/** The most operations that a JSON patch may have. */
const operations = 10_000;

/** Requests with unusually many elements: the worst time that each occupies the server. */
export async function crowded(): Promise<Figure[]> {
  const samples = new Map<string, number[]>();
  for (let round = 0; round < rounds; round += 1) {
    for (const [what, time] of await timesOnce()) samples.set(what, [...(samples.get(what) ?? []), time]);
  }
  return Array.from(samples, ([what, times]) => {
    return { what, samples: times, statistic: 'max', unit: 'ms', goal: { atMost: 1000 } };
  });
}

/** The time of each request in milliseconds, on a new server. */
async function timesOnce(): Promise<Map<string, number>> {
  const { server, api } = await benchServer();
  await api.create(ConfigMap, { ...configMap('crowded'), data: numbered('a') });
  await api.create(Deployment, largeDeployment('crowded'));
  const crowd = { namespace: 'default', name: 'crowded' };
  const equal = <T>(item: T): T[] => Array.from({ length: count }, () => item);
  const items = equal({ key: 'a', path: 'a' });
  const env = Array.from({ length: count }, (_, index) => ({ name: `A${index}`, value: 'a' }));
  const adds = Array.from({ length: operations }, (_, index) => ({ op: 'add', path: `/data/b${index}`, value: 'b' }));
  const template = { spec: { template: { spec: { containers: [{ name: 'keystone', env }] } } } };
  const manager = { fieldManager: 'bench', force: true };
  const works: Record<string, () => unknown> = {
    'ports, all the same': () => api.create(Pod, pod('ports', { ports: equal({ containerPort: 80 }) })),
    'files of a volume, all the same': () =>
      api.create(Pod, pod('files', {}, { volumes: [{ name: 'files', configMap: { name: 'a', items } }] })),
    'variables, by strategic merge': () => api.patch(Deployment, crowd, 'strategic', template),
    'keys, by merge': () => api.patch(ConfigMap, crowd, 'merge', { data: numbered('c') }),
    'keys, by JSON patch': () => api.patch(ConfigMap, crowd, 'json', adds),
    'keys, by apply': () => api.apply(ConfigMap, { ...configMap('crowded'), data: numbered('d') }, manager),
  };
  const times = new Map<string, number>();
  for (const [what, work] of Object.entries(works)) times.set(what, await timed(threadTime, work));
  await server.close();
  return times;
}

function numbered(letter: string): Record<string, string> {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`${letter}${index}`, 'a']));
}

function pod(name: string, container: object, spec: Partial<PodSpec> = {}): Pod {
  const containers = [{ name, image: 'keystone:1', ...container }];
  const object: KubeObject & { spec: object } = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace: 'default' },
    spec: { containers, ...spec },
  };
  return object as Pod;
}
