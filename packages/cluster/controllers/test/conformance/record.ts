// SPDX-License-Identifier: Apache-2.0
import { homedir } from 'node:os';
import { setTimeout } from 'node:timers/promises';
import { inPrivateNetwork, isInPrivateNetwork } from '@forge/apiserver/conformance/reference/private-network.ts';
import { findBinaries, withReferenceCluster } from '@forge/apiserver/conformance/reference/with-reference-cluster.ts';
import { recordCases } from './record-cases.ts';

/** Those whose behaviour cases observe, and those that they depend on. */
const controllers = [
  'cronjob-controller',
  'job-controller',
  'ttl-after-finished-controller',
  'deployment-controller',
  'replicaset-controller',
  'statefulset-controller',
  'persistentvolumeclaim-protection-controller',
  'disruption-controller',
  'horizontal-pod-autoscaler-controller',
  'endpoints-controller',
  'endpointslice-controller',
  'garbage-collector-controller',
  'namespace-controller',
  'serviceaccount-controller',
];
/** The autoscaler looks every 15 seconds by default: cases need not wait that long. */
const options = { controllers, managerFlags: { 'horizontal-pod-autoscaler-sync-period': '2s' } };

/** Cases run all at once: they must not poll so often that they keep the server busy. */
const pollInterval = 250;
const timeout = 100_000;

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  for (const end = Date.now() + timeout; !(await condition()); await setTimeout(pollInterval)) {
    if (Date.now() > end) throw new Error(`condition not met after ${timeout / 1000} s`);
  }
}

if (isInPrivateNetwork()) {
  await withReferenceCluster(
    process.env,
    homedir(),
    async ({ wire }) => {
      const stage = { wire: { ...wire, until }, pass: (span: number) => setTimeout(span * 1000) };
      await recordCases(stage, process.argv[2] ?? '', console.log);
    },
    options,
  );
} else {
  // Building the binaries needs the host's network.
  await findBinaries(process.env, homedir());
  process.exitCode = await inPrivateNetwork(process.argv);
}
