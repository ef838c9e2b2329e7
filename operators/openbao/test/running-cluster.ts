// SPDX-License-Identifier: Apache-2.0
import type { DeleteOptions } from '@forge/kube/client/client-options.ts';
import type { Kind } from '@forge/kube/kinds/kind.ts';
import type { KubeObject } from '@forge/kube/objects/object.ts';
import { seconds } from '@forge/runtime/environment/duration.ts';
import { OpenBaoCluster } from '../api/openbao-cluster.ts';
import { home, openbaoFixture } from './openbao-fixture.ts';
import { startOpenBaoOperator, type StartedOpenBaoOperator } from './start-openbao-operator.ts';

type Options = Parameters<typeof startOpenBaoOperator>[0];
type Spec = OpenBaoCluster['spec'];

/** The text of Available once these pods are ready. */
export const allReady = (replicas: number) => `+AllReplicasReady: ${replicas} of ${replicas} pods are ready`;

/** The text of Degraded while nothing is wrong, where the members of the Raft cluster are known, or there is but one server. */
export const prerequisitesReady = 'PrerequisitesReady: Everything that the pods need is there';

/** The same, where nobody has set up a credential with which the members can be read. */
export const membersUnknown = `${prerequisitesReady}: Raft membership unknown: no upgrade or backup credential`;

/** The operator, and a cluster that is available. */
export async function runningCluster(options: Options, spec: Partial<Spec> = {}): Promise<StartedOpenBaoOperator> {
  await using stack = new AsyncDisposableStack();
  const operator = stack.use(await startOpenBaoOperator(options));
  const { spec: created } = await operator.cluster.client.create(OpenBaoCluster, openbaoFixture(spec));
  await operator.untilCondition('Available', allReady(created.replicas));
  stack.move();
  return operator;
}

/** Changes the spec of the cluster. */
export async function changeSpec({ cluster }: StartedOpenBaoOperator, spec: object): Promise<void> {
  await cluster.client.patch(OpenBaoCluster, home, 'merge', { spec });
}

/** The object of this name beside the cluster; undefined when there is none. */
export async function found<R extends KubeObject>(
  kind: Kind<R>,
  name: string,
  { cluster }: StartedOpenBaoOperator,
): Promise<R | undefined> {
  return await cluster.client.find(kind, { ...home, name });
}

/** The names of the objects beside the cluster. */
export async function namesOf(kind: Kind, { cluster }: StartedOpenBaoOperator): Promise<string[]> {
  const { items } = await cluster.client.list(kind, { namespace: home.namespace });
  return items.map(({ metadata }) => metadata.name).toSorted();
}

/** Deletes the cluster, and waits until it is gone. */
export async function deleted(
  { cluster: { client, clock } }: StartedOpenBaoOperator,
  options: DeleteOptions = {},
): Promise<void> {
  const { metadata } = await client.get(OpenBaoCluster, home);
  if (metadata.deletionTimestamp === undefined) await client.delete(OpenBaoCluster, home, options);
  await clock.until(async () => (await client.find(OpenBaoCluster, home)) === undefined, seconds(60));
}
