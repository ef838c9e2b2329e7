// SPDX-License-Identifier: Apache-2.0
import { join } from 'node:path';
import { kubernetesVersion } from '@forge/kube/kinds/kubernetes-version.ts';
import { referenceBinaries } from './binaries.ts';
import { startReferenceCluster, type ReferenceCluster, type ReferenceOptions } from './reference-cluster.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** The folder of Kubernetes' binaries: KUBEBUILDER_ASSETS when that holds the right version, else built into the user's cache. */
export function findBinaries(environment: Environment, home: string): Promise<string> {
  return referenceBinaries(binaryFolders(environment, home), console.log);
}

/** The folders in which Kubernetes' binaries may be, the one they are built into last. */
export function binaryFolders(
  { KUBEBUILDER_ASSETS: assets, XDG_CACHE_HOME: cache }: Environment,
  home: string,
): readonly string[] {
  const built = join(cache ?? join(home, '.cache'), 'forge', `kubernetes-${kubernetesVersion.slice(1)}`);
  return assets === undefined ? [built] : [assets, built];
}

/** Runs with a real Kubernetes. */
export async function withReferenceCluster(
  environment: Environment,
  home: string,
  use: (cluster: ReferenceCluster) => Promise<void>,
  options?: ReferenceOptions,
): Promise<void> {
  const cluster = await startReferenceCluster(await findBinaries(environment, home), options);
  try {
    await use(cluster);
  } finally {
    await cluster.stop();
  }
}
