// SPDX-License-Identifier: Apache-2.0
import { join } from 'node:path';
import { kubernetesVersion } from '@forge/kube/kinds/kubernetes-version.ts';
import { referenceBinaries } from './binaries.ts';
import { startReferenceCluster, type ReferenceCluster } from './reference-cluster.ts';

/** Runs with a real Kubernetes, from KUBEBUILDER_ASSETS when that holds the right version, else built into the user's cache. */
export async function withReferenceCluster(
  { KUBEBUILDER_ASSETS: assets, XDG_CACHE_HOME: cache }: Readonly<Record<string, string | undefined>>,
  home: string,
  use: (cluster: ReferenceCluster) => Promise<void>,
): Promise<void> {
  const built = join(cache ?? join(home, '.cache'), 'forge', `kubernetes-${kubernetesVersion.slice(1)}`);
  const folders = assets === undefined ? [built] : [assets, built];
  const cluster = await startReferenceCluster(await referenceBinaries(folders, console.log));
  try {
    await use(cluster);
  } finally {
    await cluster.stop();
  }
}
