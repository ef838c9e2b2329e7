// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Client } from '@forge/kube/client/client.ts';
import { Pod } from '@forge/kube/kinds/builtin.ts';
import { virtualClock } from '@forge/runtime/environment/virtual-clock.ts';
import { logger } from '@forge/runtime/observability/logger.ts';
import { ref, testKubelet } from '../test/test-kubelet.ts';
import { recordsOf } from './container-record.ts';
import { planPod } from './pod-plan.ts';
import { statusReporter } from './status-reporter.ts';

const clock = virtualClock();
const log = logger({ clock, level: 'error', write: () => {} });

/** The facts of a pod whose container is being created. */
function factsOf(pod: Pod) {
  const records = recordsOf(pod);
  return { pod, records, plan: planPod(pod.spec ?? { containers: [] }, records, clock.now()) };
}

describe('the status of a pod', () => {
  test('is not written to a new pod of the same name', async () => {
    await using node = await testKubelet();
    const { kube, create } = node;
    const old = await create({ nodeName: 'other' });
    await kube.delete(Pod, ref, { gracePeriodSeconds: 0 });
    const { status } = await create({ nodeName: 'other' });
    assert.equal(await statusReporter(old, { client: kube, clock, log }).report(factsOf(old)), true);
    assert.deepEqual((await kube.get(Pod, ref)).status, status);
  });

  test('is retried when the API server could not be reached, and not written when nothing changed', async () => {
    await using node = await testKubelet();
    const pod = await node.create({ nodeName: 'other' });
    const patches: boolean[] = [];
    const client = {
      patch(...request: Parameters<Client['patch']>) {
        patches.push(true);
        return patches.length === 1 ? Promise.reject(new Error('connection refused')) : node.kube.patch(...request);
      },
    } as unknown as Client;
    const reporter = statusReporter(pod, { client, clock, log });
    assert.equal(await reporter.report(factsOf(pod)), false);
    assert.equal(await reporter.report(factsOf(pod)), true);
    const { status } = await node.kube.get(Pod, ref);
    assert.equal(status?.containerStatuses?.[0]?.state?.waiting?.reason, 'ContainerCreating');
    assert.equal(await reporter.report(factsOf(pod)), true);
    assert.equal(patches.length, 2);
  });
});
