// SPDX-License-Identifier: Apache-2.0
import { setTimeout } from 'node:timers/promises';
import { Pod } from '@forge/kube/kinds/builtin.ts';
import { eventually } from '@forge/testing/programs/eventually.ts';
import { processesOf, signalPod } from '@forge/testing/programs/pod-processes.ts';
import type { LocalKeystones } from './local-keystones.ts';

const program = 'node';

/**
 * Kills the operator after a delay, like `kill -9`, and replaces its pod, which avoids the back-off of a crash loop.
 */
export async function killOperator({ client, operator }: LocalKeystones, delay: number): Promise<void> {
  await setTimeout(delay);
  const pod = await eventually('the operator runs', async () => {
    const { items } = await client.list(Pod, { namespace: operator.namespace });
    for (const { metadata } of items) {
      if (metadata.deletionTimestamp === undefined && (await processesOf(metadata.name, program)).length > 0)
        return metadata;
    }
    return undefined;
  });
  await signalPod(pod.name, program, 'SIGKILL');
  await client.delete(Pod, pod, { gracePeriodSeconds: 0 });
}
