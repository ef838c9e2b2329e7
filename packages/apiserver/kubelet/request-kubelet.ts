// SPDX-License-Identifier: Apache-2.0
import { connect as tlsConnect } from 'node:tls';
import type { KubeletAddress, NodeConnector } from './node-connector.ts';
import { dialNode, sendOver, type NodeRequest, type NodeResponse } from './send-over.ts';

/** Sends a request to a kubelet; errors are worded as Go does. */
export async function requestKubelet(
  nodes: NodeConnector,
  address: KubeletAddress,
  request: NodeRequest,
): Promise<NodeResponse> {
  const { tls } = nodes;
  const socket = await dialNode(nodes, address);
  const secure = tlsConnect({ socket, host: address.host, ...tls, rejectUnauthorized: tls.ca !== undefined });
  return sendOver(secure, address, request);
}
