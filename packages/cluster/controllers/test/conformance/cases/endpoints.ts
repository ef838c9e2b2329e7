// SPDX-License-Identifier: Apache-2.0
import type { Endpoint, EndpointSubset } from '@forge/kube/generated/types.ts';
import type { EndpointSlice, Endpoints } from '@forge/kube/kinds/builtin.ts';
import { testCase, type List, type ControllerCase, type Scenario } from '../controller-case.ts';
import { createPod, finishPod, runPod } from '../kubelet.ts';

const labels = { app: 'web' };

async function createService(scenario: Scenario, spec: object = {}, metadata: object = {}): Promise<void> {
  await scenario.post('services', {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'web', ...metadata },
    spec: { selector: labels, ports: [{ port: 80, targetPort: 'web' }], ...spec },
  });
}

/** A ready pod `a` and an unready pod `b`. */
async function createPods(scenario: Scenario): Promise<void> {
  await createPod(scenario, 'a', labels);
  await createPod(scenario, 'b', labels);
  await runPod(scenario, 'a', '10.0.0.1');
  await runPod(scenario, 'b', '10.0.0.2', false);
}

/** How many ready and unready addresses there are. */
type Counts = readonly [ready: number, unready: number];

function count(subsets: readonly EndpointSubset[], field: 'addresses' | 'notReadyAddresses'): number {
  return new Set(subsets.flatMap((subset) => subset[field] ?? []).map(({ ip }) => ip)).size;
}

function all({ items }: List<EndpointSlice>): Endpoint[] {
  return items.flatMap((slice) => slice.endpoints ?? []);
}

/** Waits for the addresses, and records the Endpoints; the order of ports and subsets is by hash in Kubernetes. */
async function endpoints(scenario: Scenario, [ready, unready]: Counts): Promise<void> {
  await scenario.observe<Endpoints>(
    'endpoints/web',
    ({ subsets = [] }, status) =>
      status === 200 && count(subsets, 'addresses') === ready && count(subsets, 'notReadyAddresses') === unready,
    ({ metadata, subsets }) => ({
      labels: metadata.labels,
      ...(subsets && { subsets: sorted(subsets.map(withSortedPorts)) }),
    }),
  );
}

/** The same for the EndpointSlices. */
async function slices(scenario: Scenario, [ready, unready]: Counts): Promise<void> {
  await scenario.observe<List<EndpointSlice>>(
    'discovery.k8s.io/v1/endpointslices',
    (list) =>
      list.items.length > 0 &&
      all(list).length === ready + unready &&
      all(list).filter(({ conditions }) => conditions?.ready === true).length === ready,
    ({ items }) =>
      sorted(
        items.map(({ addressType, ports, endpoints: members, metadata }) => ({
          labels: metadata.labels,
          addressType,
          ports: sorted(ports ?? []),
          endpoints: sorted(members ?? []),
        })),
      ),
  );
}

async function both(scenario: Scenario, counts: Counts): Promise<void> {
  await endpoints(scenario, counts);
  await slices(scenario, counts);
}

function withSortedPorts(subset: EndpointSubset): EndpointSubset {
  return subset.ports === undefined ? subset : { ...subset, ports: sorted(subset.ports) };
}

/** Sorted by content, independent of the order of fields. */
function sorted<T extends object>(items: readonly T[]): T[] {
  const text = (item: T): string => JSON.stringify(Object.entries(item).toSorted(([a], [b]) => (a < b ? -1 : 1)));
  return items.toSorted((a, b) => (text(a) < text(b) ? -1 : 1));
}

/** Endpoints and EndpointSlices of Services. */
export const endpointCases: readonly ControllerCase[] = [
  testCase('a Service without pods has empty Endpoints', async (scenario) => {
    await createService(scenario, {}, { labels: { team: 'blue' } });
    await both(scenario, [0, 0]);
  }),

  testCase('ready and unready pods are listed apart', async (scenario) => {
    await createPods(scenario);
    await createService(scenario);
    await both(scenario, [1, 1]);
    await runPod(scenario, 'b', '10.0.0.2');
    await both(scenario, [2, 0]);
  }),

  testCase('with publishNotReadyAddresses unready pods count as ready', async (scenario) => {
    await createPods(scenario);
    await createService(scenario, { publishNotReadyAddresses: true });
    await both(scenario, [2, 0]);
    await scenario.patch('merge', 'services/web', { spec: { publishNotReadyAddresses: false } });
    await both(scenario, [1, 1]);
  }),

  testCase('a terminating pod leaves the Endpoints, and stays in the slices as it ends', async (scenario) => {
    await createPod(scenario, 'a', labels, { terminationGracePeriodSeconds: 60 });
    await runPod(scenario, 'a', '10.0.0.1');
    await createService(scenario);
    await both(scenario, [1, 0]);
    await scenario.delete('pods/a');
    await endpoints(scenario, [0, 0]);
    await slices(scenario, [0, 1]);
  }),

  testCase('with publishNotReadyAddresses a terminating pod stays in the Endpoints', async (scenario) => {
    await createPod(scenario, 'a', labels, { terminationGracePeriodSeconds: 60 });
    await runPod(scenario, 'a', '10.0.0.1');
    await createService(scenario, { publishNotReadyAddresses: true, clusterIP: 'None' });
    await both(scenario, [1, 0]);
    await scenario.delete('pods/a');
    await scenario.pass(1);
    await both(scenario, [1, 0]);
  }),

  testCase('a finished pod is no endpoint', async (scenario) => {
    await createPod(scenario, 'a', labels, { restartPolicy: 'Never' });
    await runPod(scenario, 'a', '10.0.0.1');
    await createService(scenario);
    await both(scenario, [1, 0]);
    await finishPod(scenario, 'a', 0);
    await both(scenario, [0, 0]);
  }),

  testCase('a headless Service has its label and the hostnames of its pods', async (scenario) => {
    await createPod(scenario, 'a', labels, { hostname: 'first', subdomain: 'web' });
    await runPod(scenario, 'a', '10.0.0.1');
    await createService(scenario, { clusterIP: 'None', ports: undefined });
    await both(scenario, [1, 0]);
  }),

  testCase('several ports of the same pods share a subset', async (scenario) => {
    await createPods(scenario);
    await createService(scenario, {
      ports: [
        { name: 'http', port: 80, targetPort: 'web', appProtocol: 'http' },
        { name: 'admin', port: 81, targetPort: 9000 },
      ],
    });
    await both(scenario, [1, 1]);
  }),

  testCase('a named port that pods map differently has several subsets', async (scenario) => {
    await createPods(scenario);
    const containers = [{ name: 'main', image: 'example:1', ports: [{ name: 'web', containerPort: 9999 }] }];
    await createPod(scenario, 'c', labels, { containers });
    await runPod(scenario, 'c', '10.0.0.3');
    await createService(scenario);
    await both(scenario, [2, 1]);
  }),

  testCase('a Service without a selector has no Endpoints', async (scenario) => {
    await createService(scenario, { selector: null });
    await scenario.pass(1);
    await scenario.observe<List<Endpoints>>('endpoints', undefined, ({ items }) => items.length);
  }),

  testCase('the Endpoints of a deleted Service are deleted', async (scenario) => {
    await createService(scenario);
    await both(scenario, [0, 0]);
    await scenario.delete('services/web');
    await scenario.observe(
      'endpoints/web',
      (_, status) => status === 404,
      () => 'gone',
    );
    await scenario.observe<List<EndpointSlice>>(
      'discovery.k8s.io/v1/endpointslices',
      ({ items }) => items.length === 0,
    );
  }),
];
