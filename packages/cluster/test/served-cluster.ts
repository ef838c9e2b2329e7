// SPDX-License-Identifier: Apache-2.0
import { servedServer, type ServedServer } from '@forge/apiserver/test/served-server.ts';
import { manager } from '@forge/runtime/controller/manager.ts';
import { systemClock } from '@forge/runtime/environment/clock.ts';
import { systemRandom } from '@forge/runtime/environment/random.ts';
import { logger } from '@forge/runtime/observability/logger.ts';
import { workloadControllers } from '../controllers/controllers.ts';
import { startFakeNode } from '../fake-node/fake-node.ts';

/** Starts a cluster with a fake node, on the system clock, that external programs can use. */
export async function servedCluster(): Promise<ServedServer> {
  await using stack = new AsyncDisposableStack();
  const server = stack.use(await servedServer());
  const { client } = server;
  // Errors are expected and retried, since other clients write at the same time.
  const log = logger({ clock: systemClock, level: 'error', write: () => {} });
  const options = { client, clock: systemClock, random: systemRandom, log };
  const running = manager(options);
  for (const controller of workloadControllers()) running.add(controller);
  await running.start();
  stack.defer(() => running.stop());
  const node = await startFakeNode(options);
  stack.defer(() => node.stop());
  const owned = stack.move();
  return { ...server, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}
