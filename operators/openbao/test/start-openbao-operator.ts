// SPDX-License-Identifier: Apache-2.0
import { installKind } from '@forge/testing/install-kind.ts';
import { observedResource, type ObservedResource } from '@forge/testing/observed-resource.ts';
import { startOperator, type StartedOperator, type StartOptions } from '@forge/testing/start-operator.ts';
import { testCluster, type TestCluster } from '@forge/testing/test-cluster.ts';
import { OpenBaoCluster } from '../api/openbao-cluster.ts';
import { openbaoController } from '../reconcile.ts';
import { home } from './openbao-fixture.ts';

/** The operator on a test cluster, with the permissions of its manifests and no others. */
export interface StartedOpenBaoOperator extends StartedOperator, ObservedResource {
  cluster: TestCluster;
}

/** Starts it; an observer is notified of what the operator says. */
export async function startOpenBaoOperator(options: StartOptions = {}): Promise<StartedOpenBaoOperator> {
  await using stack = new AsyncDisposableStack();
  const cluster = stack.use(await testCluster({ node: false }));
  await installKind(cluster, OpenBaoCluster);
  const tested = {
    lease: { ...home, name: 'openbao-operator' },
    kinds: [OpenBaoCluster],
    controllers: () => [openbaoController({ reading: {}, acting: {} })],
  };
  const started = stack.use(await startOperator(cluster, tested, options));
  const owned = stack.move();
  return {
    ...started,
    ...observedResource(OpenBaoCluster, home, cluster),
    cluster,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}
