// SPDX-License-Identifier: Apache-2.0
import { installKind } from '@forge/testing/install-kind.ts';
import { observedResource, type ObservedResource } from '@forge/testing/observed-resource.ts';
import { startOperator, type StartedOperator, type StartOptions } from '@forge/testing/start-operator.ts';
import { testCluster, type TestCluster } from '@forge/testing/test-cluster.ts';
import { Specimen } from '../api/specimen.ts';
import { specimenController } from '../reconcile.ts';
import { home } from './specimen-fixture.ts';

/** The operator on a test cluster, with the permissions of its manifests and no others. */
export interface SpecimenOperator extends StartedOperator, ObservedResource {
  cluster: TestCluster;
}

/** Starts it; an observer is notified of its conditions and Events. */
export async function startSpecimenOperator(options: StartOptions = {}): Promise<SpecimenOperator> {
  await using stack = new AsyncDisposableStack();
  const cluster = stack.use(await testCluster({ node: false }));
  await installKind(cluster, Specimen);
  const tested = {
    lease: { ...home, name: 'specimen-operator' },
    kinds: [Specimen],
    controllers: () => [specimenController({ reading: {}, acting: {} })],
  };
  const started = stack.use(await startOperator(cluster, tested, options));
  const owned = stack.move();
  return {
    ...started,
    ...observedResource(Specimen, home, cluster),
    cluster,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}
