// SPDX-License-Identifier: Apache-2.0
import type { Duplex } from 'node:stream';

/** How the server reaches the kubelets of its nodes. */
export interface NodeConnector {
  /** Opens a connection to the node's kubelet port. */
  readonly connect: (nodeName: string) => Promise<Duplex>;
  /** PEM: the authority of kubelets' serving certificates, and who the server is to them. */
  readonly tls: { ca: string; cert: string; key: string };
}
