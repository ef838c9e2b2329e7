// SPDX-License-Identifier: Apache-2.0
import { homedir } from 'node:os';
import { join } from 'node:path';
import { kubernetesVersion } from '@forge/kube/kubernetes-version.ts';
import { recordRows } from './record-rows.ts';
import { referenceBinaries } from './reference/binaries.ts';
import { startReferenceCluster } from './reference/reference-cluster.ts';

const { KUBEBUILDER_ASSETS: assets, XDG_CACHE_HOME: cache = join(homedir(), '.cache') } = process.env;
const built = join(cache, 'forge', `kubernetes-${kubernetesVersion.slice(1)}`);
const folders = assets === undefined ? [built] : [assets, built];
const cluster = await startReferenceCluster(await referenceBinaries(folders, console.log));
try {
  await recordRows(cluster.wire, process.argv[2] ?? '', console.log);
} finally {
  await cluster.stop();
}
