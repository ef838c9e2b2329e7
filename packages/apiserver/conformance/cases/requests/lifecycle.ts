// SPDX-License-Identifier: Apache-2.0
import { testCase, type ConformanceCase } from '../../conversation/conformance-case.ts';
import { pod } from '../../objects/objects.ts';

const main = { name: 'main', image: 'example:1' };
const init = { name: 'init', image: 'example:1' };
const sidecar = { ...init, restartPolicy: 'Always' };

/** Lifecycle hooks and sidecar containers. */
export const lifecycle: readonly ConformanceCase[] = [
  testCase('a lifecycle hook may sleep, within the grace period of the pod', async (api) => {
    for (const seconds of [0, 5, 30, 31, -1]) {
      const hooks = { postStart: { sleep: { seconds } }, preStop: { sleep: { seconds } } };
      await api.post('pods', pod('a', { containers: [{ ...main, lifecycle: hooks }] }), { dryRun: 'All' });
    }
    const two = { preStop: { sleep: { seconds: 40 }, exec: { command: ['true'] } } };
    await api.post('pods', pod('a', { containers: [{ ...main, lifecycle: two }] }), { dryRun: 'All' });
    const long = { preStop: { sleep: { seconds: 40 } } };
    const spec = { terminationGracePeriodSeconds: 60, containers: [{ ...main, lifecycle: long }] };
    await api.post('pods', pod('a', spec), { dryRun: 'All' });
  }),

  testCase('probes and hooks are for init containers that keep running only', async (api) => {
    const handler = { exec: { command: ['true'] } };
    const watched = {
      lifecycle: { postStart: handler, preStop: handler },
      livenessProbe: handler,
      readinessProbe: handler,
      startupProbe: handler,
    };
    for (const each of [init, sidecar]) {
      const spec = { initContainers: [{ ...each, ...watched }], containers: [main] };
      await api.post('pods', pod('a', spec), { dryRun: 'All' });
    }
  }),
];
