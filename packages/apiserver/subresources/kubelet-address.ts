// SPDX-License-Identifier: Apache-2.0
import type { Node } from '@forge/kube/kinds/builtin.ts';
import type { KubeletAddress } from '../kubelet/node-connector.ts';
import { errorWithoutReason, notFound } from '../messages/status-errors.ts';
import type { ResourceRequest } from '../request/resource-request.ts';
import type { ServerContext } from '../request/server-context.ts';
import { keyOf } from '../resources/resource.ts';

const preferred = ['Hostname', 'InternalDNS', 'InternalIP', 'ExternalDNS', 'ExternalIP'];
const usualPort = 10_250;

/** The address of a node's kubelet; throws kube-apiserver's error when the Node has none. */
export function kubeletAddress(
  { store, resources }: ServerContext,
  { resource: pods }: ResourceRequest,
  nodeName: string,
): KubeletAddress {
  const nodes = resources.find('', 'v1', 'nodes');
  const node = nodes && (store.current.objects.get(keyOf(nodes, undefined, nodeName))?.value as Node | undefined);
  // kube-apiserver reports the node's name with the kind of pods.
  if (node === undefined) throw notFound(pods.kind, nodeName);
  const { addresses = [], daemonEndpoints } = node.status ?? {};
  const host = preferred.flatMap((type) => addresses.find((each) => each.type === type)?.address ?? [])[0];
  if (host === undefined) {
    const known = addresses.map(({ type, address }) => `{${type} ${address}}`);
    throw errorWithoutReason(`no preferred addresses found; known addresses: [${known.join(' ')}]`);
  }
  return { host, port: daemonEndpoints?.kubeletEndpoint?.Port ?? usualPort };
}
