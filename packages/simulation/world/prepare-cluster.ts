// SPDX-License-Identifier: Apache-2.0
import { apiServer, type ApiServer } from '@forge/apiserver/api-server.ts';
import { inProcessTransport } from '@forge/apiserver/wire/in-process-transport.ts';
import { client, type Client } from '@forge/kube/client/client.ts';
import { CustomResourceDefinition, Node } from '@forge/kube/kinds/builtin.ts';
import { crdOf } from '@forge/kube/kinds/crd.ts';
import type { Kind } from '@forge/kube/kinds/kind.ts';
import { timestamp } from '@forge/runtime/environment/clock.ts';
import { seededRandom } from '@forge/runtime/environment/seeded-random.ts';
import { virtualClock } from '@forge/runtime/environment/virtual-clock.ts';
import { nodeName } from './environment.ts';

/** The initial state of worlds: prepared once, and forked by each. */
export interface Preparation {
  /** Kinds whose definitions are installed. */
  readonly kinds?: readonly Kind[];
  /** Creates further objects. */
  readonly setUp?: (user: Client) => Promise<unknown>;
}

/** A server with a ready node, these kinds and these objects. */
export async function prepareCluster({ kinds = [], setUp }: Preparation = {}): Promise<ApiServer> {
  const clock = virtualClock();
  const server = await apiServer({ clock, random: seededRandom() });
  const user = client(inProcessTransport(server));
  const metadata = { name: nodeName, labels: { 'kubernetes.io/hostname': nodeName } };
  await user.create(Node, { apiVersion: 'v1', kind: 'Node', metadata });
  const ready = { type: 'Ready', status: 'True', reason: 'KubeletReady', lastTransitionTime: timestamp(clock) };
  await user.patch(Node, metadata, 'merge', { status: { conditions: [ready] } }, { subresource: 'status' });
  for (const kind of kinds) await user.create(CustomResourceDefinition, crdOf(kind));
  await setUp?.(user);
  await clock.settle();
  return server;
}
